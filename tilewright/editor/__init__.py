"""What editors and the shell ask about a schedule: completion, findings, hints.

`reading/` makes data of a text, whole or half-typed; `answers/` has a file for each
question; `highlighting/` writes grammars; `server/` speaks the protocol of editors.
May import everything below `commands/`.
"""
