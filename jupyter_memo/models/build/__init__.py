"""The wheel's build step: makes the default model out of published weights. In the sdist, not in the wheel."""
