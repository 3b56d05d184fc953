"""Tests in a real browser: pages of JupyterLab, of the site and of the tab."""
