"""Fine-tuning models of the transformers library, which only the learning process loads."""
