"""One module per mode of the dashboard."""
