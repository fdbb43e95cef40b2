"""What requests and answers look like, a module for each of the endpoints: the source of the
published OpenAPI description."""
