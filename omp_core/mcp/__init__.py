"""The agents' door: the tools of `Memory` over the Model Context Protocol.

`tools` holds what an agent can call, by subject; `arguments` reads what it sends and `answers`
shapes what it gets; `sessions` holds the memory and the threads that work on it; `server` joins
these under the official SDK, and `transports` serves that over stdio and HTTP.
"""
