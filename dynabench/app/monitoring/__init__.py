"""What `/metrics` tells an operator of the installation, in figures."""
