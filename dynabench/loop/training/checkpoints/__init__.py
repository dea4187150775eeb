"""What fine-tuning starts from: the operator's folders, and models on the hub."""
