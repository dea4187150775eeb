"""Who may judge examples, and whose: people who let themselves in wait and stay apart."""
