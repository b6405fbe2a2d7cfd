"""What is known: the retriever, the only owner of LanceDB."""
