"""Words for what software projects consist of, and for how work on them is organised."""

from __future__ import annotations

import re

PROJECT_THING = re.compile(
    r"服务|接口|数据库|表(?!达|示|情|现|单|面)|字段|账单|迁移|镜像|环境|线上|预发|测试库|端口"
    r"|部署|发版|分支|模块|目录"
    r"|样例|金额|日志|渠道|任务|脚本|密钥|告警"
    r"|缓存|队列|配置|依赖|版本|源|测试框架|覆盖率|阈值|埋点|事件|文案|\bDAG\b|\bschema\b"
    r"|\b(?:database|table|service|endpoint|migrations?|image|staging|production|port|deploys?"
    r"|deployment"
    r"|branch|module|directory|alerts?|cache|queue|config|version|schema|app|apps|api|web|admin"
    r"|server"
    r"|customers?|users|slot|flag|flags|copy|tests|backend|frontend|client|everything in)\b",
    re.I,
)
"""Parts of a project."""

WORKPLACE = re.compile(
    r"目录|文件|协议|合并|主干|提交|仓库|push|生产|线上|周[一二三四五六日天]|发版|上线|高峰"
    r"|[\w.-]+/[\w./-]*|\b(?:replicas?|primary|master|main|trunk|git|commits?|repo|endpoints?"
    r"|monolith|release|friday|merge|prod|protobufs?|protos?"
    r"|schemas?|files?|folders?|directory|dependenc\w+|secrets?|logs?|queries|transactions?"
    r"|(?:every|each|all|any) (?:\w+ )?(?:prs?|pull requests?|tickets?|changes?|branch(?:es)?"
    r"|releases?|migrations?|tests?|modules?|packages?)"
    r"|everyone|nobody)\b",
    re.IGNORECASE,
)
"""What the people of a project handle every day."""
