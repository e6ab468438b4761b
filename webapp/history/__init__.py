"""The history: saved games with every version, what is counted of them, and the people who played."""
