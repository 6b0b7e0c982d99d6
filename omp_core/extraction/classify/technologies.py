"""Names of tools and products: they make a statement concrete, and are no people."""

from __future__ import annotations

import re

_NAMES = """
airflow alpine android angular ansible argo argocd aws azure bash bazel biome bitbucket bloc
buildkit bun bzip2 c++ c# caddy cassandra celery chroma circleci clickhouse cloudflare cmake
codex cursor cypress dagster dart datadog debian delta deno direnv django docker dockerfile
drizzle dubbo duckdb dynamodb eccodes elasticsearch elixir emacs erlang eslint etcd express
fargate fastapi fastembed fastify fcm figma firebase fish flask flink flutter fly fly.io gcp
gemini ghostty gin git github gitlab go goland golang golangci-lint goose gorm gradle grafana
graphql grib2 grpc gunicorn hadoop harbor haskell helm heroku hono hugo ibm iceberg influxdb
intellij ios jaeger java javascript jenkins jest jira json junit just jvm jwt k3s k8s kafka
kaniko keycloak kong kotlin kubernetes kubectl lancedb langchain laravel linear linkerd linux
lua mac macbook macos make makefile mapbox maplibre mariadb markdown maven metabase minikube
minio mockito mongodb mqtt mybatis mypy mysql nacos nats neovim netlify next next.js nextjs
nexus nginx node node.js nomad notion npm nuxt nvim oauth onesignal openapi openlineage
opensearch openssl orbstack oss oracle pandas parquet php pip pixel pixels pnpm podman poetry
polars postgis postgres postgresql postmark prettier prisma prometheus protobuf pulsar pulumi
puppeteer pydantic pygrib pytest python pytorch qdrant quarkus rabbitmq rails railway react
react-hook-form redis redux remix render renovate rest riverpod rocketmq rollup ruby ruff rust
s3 safari sass scala selenium sendgrid sentry sequelize server-actions sftp shell slack
snowflake solid sonar spark spring sqlalchemy sqlite stripe supabase svelte swift tailwind tauri
tensorflow terraform testify testflight testinghouse tidb tmux toml traefik trino trpc
turborepo typescript ubuntu unittest unleash uv vault vercel vim vite vitest vscode vue webkit
webpack webstorm windows wire wrangler xcode yaml yarn zed zig zsh zustand 飞书 钉钉 企业微信
神策 语雀 禅道 阿里云 腾讯云 华为云
"""

TECHNOLOGIES: frozenset[str] = frozenset(_NAMES.split())
_WORD = re.compile(
    r"[A-Za-z][\w+#.-]*[\w+#]|[A-Za-z]|飞书|钉钉|企业微信|神策|语雀|禅道|[阿腾华][里讯为]云"
)


def technologies(text: str) -> list[str]:
    """Return the known tool names in `text`, as written, in order."""
    return [word for word in _WORD.findall(text) if word.lower() in TECHNOLOGIES]
