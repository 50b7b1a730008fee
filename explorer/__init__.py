"""The explorer: pages that show a program, a model or a tuning run in a browser.

- `program`, `model`, `trials`: what a page shows, as plain data.
- `page`: data and assets become one HTML file that needs no network.
- `server`: the same page alive (`tilewright serve`).
- `assets`: scripts and style sheets, built from `web/` by `make web`.

Imports everything below the commands. The scripts only draw: every fact on a page is
computed here, in Python, where it can be tested without a browser.
"""
