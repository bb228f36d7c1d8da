"""What needs OpenSpiel, PyTorch or Stable-Baselines3: `make train`, not `make test`.

The files are not named `test_...`, so that nobody collects them where those are missing.
"""
