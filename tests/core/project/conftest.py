"""A workspace with one document of every kind, bilingual as they are in real projects."""

from pathlib import Path
from textwrap import dedent

import pytest

from omp_core.project.workspace import Workspace

DOCUMENTS = {
    "project.yaml": """\
        name: shop   # the shop's own API
        version: 1.10
        stack: [TypeScript, React, Vite]
        deployment:
          vercel:
            url: https://web.example.app
            status: active
            updated_at: 2026-02-02T10:30:00Z
            updated_by: codex
        services:
          - name: api
            port: 8080
          - name: web
            port: 3000
        flags: {no: no, at: 12:30, since: 2026-02-03}
        说明: |
          多行
          文本
        nothing:
        last_updated: 2026-02-05T08:00:00Z
        _meta:
          last_updated: 2026-02-05T08:00:00Z
          updated_by: codex
          changes: ["name: a → shop"]
        """,
    "decisions.yaml": """\
        decisions:
          - id: dec-2026-02-03-001
            date: 2026-02-03          # a YAML date, not text
            title: "Package manager"
            context: "slow installs"
            choice: "pnpm"
            alternatives: ["npm", "yarn"]
            impact: "all package commands"
          - id: dec-2026-02-02-001
            date: 2026-02-02
            title: "Memory 存储格式选择"
            context: "需要跨 Agent 共享配置，支持多 IDE"
            choice: "YAML 格式"
            alternatives: ["JSON", "TOML"]
            rationale: "人类可读"
            tags: [storage]
        """,
    "changelog.yaml": """\
        changelog:
          - {id: chg-2026-02-01-001, date: 2026-02-01, type: deployment, summary: first deploy}
          - a bare line
        """,
    "sessions/2026-02-02.yaml": """\
        date: 2026-02-02
        sessions:
          - id: session-001
            start: "10:00"
            end: "11:30"
            summary: "部署 Vercel 并配置 Cloudflare Worker"
            key_actions:
              - "更新 VERCEL_TOKEN"
            decisions:
              - "采用 YAML 格式"
        errors:
          - {at: 2026-02-02T12:00:00Z, file: project.yaml, reason: permission denied}
        """,
    "themes/index.yaml": """\
        version: "1.0"
        themes:
          - themeId: 3c1e
            summary: Package manager
            semanticIds: [s1, s2]
            neighbors: [9f2a]
            memberCount: 2
            createdAt: 2026-02-03T10:00:00.000Z
            updatedAt: 2026-02-04T10:00:00.000Z
        metadata:
          totalThemes: 1
          lastAssimilation: 2026-02-03T10:00:00.000Z
        """,
    "handoffs/one.yaml": """\
        handoffId: h1
        fromAgent: codex
        toAgent: claude
        timestamp: 2026-02-03T10:00:00Z
        status: accepted
        context: finished the API
        """,
    "entries.yaml": """\
        - key: tech-stack
          value: "TypeScript + React"
          metadata:
            scope: PROJECT
            confidence: 0.8
            source: explicit
            temporality: contextual
          timestamps:
            created_at: "2026-02-03T10:00:00Z"
            updated_at: "2026-02-04T10:00:00Z"
          tracking: {access_count: 3, decay_score: 0.9}
          conflict: {status: none}
        """,
    "systemPatterns.md": """\
        # System Patterns

        ## Architecture
        <!-- 系统整体架构
        - not this -->

        One monolith.
        It is big.

        **项目名称**: {{PROJECT_NAME}}

        ## Rules

        | Decision | Rationale |
        |----------|-----------|
        | use uv | fast |

        ### Pattern 1
        - **Name**:
        - outbox
          - nested
        -

        ```sh
        # not a heading
        - not a bullet
        ```
        """,
}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = Workspace(tmp_path / "shop")
    for name, text in DOCUMENTS.items():
        file = made.memory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text), encoding="utf-8")
    return made
