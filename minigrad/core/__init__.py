"""The heart: derivatives with NumPy alone. What else of minigrad it calls, is registered from above."""
