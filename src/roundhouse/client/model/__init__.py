"""What the server tells, as records; a module for each part of the interface. A field the server
tells beside these is ignored, so that a client works with later servers."""
