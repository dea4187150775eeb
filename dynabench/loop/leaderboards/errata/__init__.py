"""What experts found wrong in releases, which never change."""
