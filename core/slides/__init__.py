"""Results as slides: one message a slide, to be shown, saved as one HTML file, or edited in PowerPoint."""
