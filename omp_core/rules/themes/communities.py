"""Communities of a graph: Louvain (Blondel et al. 2008) with a queue (Ozaki et al. 2016)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_BLOCK = 1024
_ROUNDING = 1e-12

Graph = list[dict[int, float]]
"""Node -> neighbour -> weight, symmetric; a loop counts the weight inside a node once."""


def nearest_graph(vectors: NDArray[np.float32], count: int) -> Graph:
    """Return the graph that joins each unit row (n, dim) with its `count` nearest ones.

    The weight is the cosine; only positive ones join.
    """
    size = len(vectors)
    graph: Graph = [{} for _ in range(size)]
    wanted = min(count, size - 1)
    if wanted < 1:
        return graph
    for start in range(0, size, _BLOCK):
        cosines = np.round(vectors[start : start + _BLOCK] @ vectors.T, 6)
        rows = np.arange(len(cosines))
        cosines[rows, start + rows] = -2
        if wanted < size - 1:
            near = np.argpartition(-cosines, wanted - 1, axis=1)[:, :wanted]
        else:
            near = np.argsort(-cosines, axis=1, kind="stable")[:, :wanted]
        weights = np.take_along_axis(cosines, near, axis=1)
        for row, names, values in zip(rows.tolist(), near.tolist(), weights.tolist(), strict=True):
            for name, value in zip(names, values, strict=True):
                if value > 0:
                    graph[start + row][name] = value
                    graph[name][start + row] = value
    return graph


def collapsed(graph: Graph, owner: Sequence[int], count: int) -> Graph:
    """Return the graph of `count` nodes, each standing for all that `owner` gives to it."""
    smaller: Graph = [{} for _ in range(count)]
    for node, edges in enumerate(graph):
        mine = owner[node]
        for other, weight in edges.items():
            theirs = owner[other]
            if mine != theirs:
                smaller[mine][theirs] = smaller[mine].get(theirs, 0.0) + weight
            elif other == node:
                smaller[mine][mine] = smaller[mine].get(mine, 0.0) + weight
            else:
                smaller[mine][mine] = smaller[mine].get(mine, 0.0) + weight / 2
    return smaller


def within(graph: Graph, nodes: Sequence[int]) -> Graph:
    """Return the part of a graph between some of its nodes, numbered as they are listed."""
    at = {node: number for number, node in enumerate(nodes)}
    return [
        {at[other]: weight for other, weight in graph[node].items() if other in at}
        for node in nodes
    ]


def communities(graph: Graph, resolution: float) -> list[int]:
    """Return the community of each node; higher resolutions give smaller ones.

    Nodes are looked at in order, so equal graphs give equal communities.
    """
    owner = list(range(len(graph)))
    while True:
        moved, count = _moved(graph, resolution)
        owner = [moved[node] for node in owner]
        if count == len(graph):
            return owner
        graph = collapsed(graph, moved, count)


def _moved(graph: Graph, resolution: float) -> tuple[list[int], int]:
    """Move single nodes until none gains; returns communities from 0 on, and their number."""
    degrees = [
        sum(weight * (2 if other == node else 1) for other, weight in edges.items())
        for node, edges in enumerate(graph)
    ]
    total = sum(degrees)
    owner = list(range(len(graph)))
    if total > 0:
        held = list(degrees)
        waiting = deque(range(len(graph)))
        queued = [True] * len(graph)
        while waiting:
            node = waiting.popleft()
            queued[node] = False
            mine = owner[node]
            held[mine] -= degrees[node]
            links: dict[int, float] = {mine: 0.0}
            for other, weight in graph[node].items():
                if other != node:
                    links[owner[other]] = links.get(owner[other], 0.0) + weight
            scale = resolution * degrees[node] / total
            best, gain = mine, links[mine] - scale * held[mine]
            for name, weight in links.items():
                more = weight - scale * held[name]
                if more > gain + _ROUNDING:
                    best, gain = name, more
            owner[node] = best
            held[best] += degrees[node]
            if best != mine:
                for other in graph[node]:
                    if not queued[other] and owner[other] != best:
                        waiting.append(other)
                        queued[other] = True
    names = {name: number for number, name in enumerate(dict.fromkeys(owner))}
    return [names[name] for name in owner], len(names)
