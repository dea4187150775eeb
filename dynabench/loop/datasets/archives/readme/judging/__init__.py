"""How examples were judged, timed and tried, as sections of the page."""
