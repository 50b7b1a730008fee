"""The elements that an access touches: indices as linear forms, views, tiles."""
