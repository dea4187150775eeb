"""What owners ask for: a look at a release, the release itself, and to wait for verdicts."""
