"""English cues, the counterpart of the Chinese tables.

One regular expression a line. Weights are estimates of how likely a sentence with this cue
alone states a lasting fact.
"""

from __future__ import annotations

from omp_core.extraction.classify.kinds import Cue, Kind, cues

EN_CUES: tuple[Cue, ...] = (
    *cues(
        Kind.REMEMBER,
        0.97,
        r"""
        ^(?:please |pls |also |and )?(?:remember|memori[sz]e|keep in mind|bear in mind)\b(?! when
            | the time| how)
        \b(?:please|pls|do|can you|could you) (?:also )?(?:remember|note|memori[sz]e|keep in mind
            |bear in mind)\b
        \b(?:make a note|take note|note to self|for the record)\b
        \b(?:save|add|commit) (?:this|that) to (?:your )?memory\b
        """,
    ),
    *cues(
        Kind.REMEMBER,
        0.5,
        r"""
        \b(?:good to know|worth (?:remembering|knowing|noting)|just so you know|fyi|for context)\b
        \b(?:for what it'?s worth|heads[- ]up|please stick to (?:that|it))\b
        """,
    ),
    # the person
    *cues(
        Kind.PREFERENCE,
        0.9,
        r"""
        \bI (?:\w+ly |still |always |also |just |much |do |kind of )?(?:prefer|favou?r|dislike)\b
            (?= ?\w)
        \bI (?:really |just |do )?(?:hate|can'?t stand|love|enjoy)\b(?= ?\w)(?! (?:it|that|this
            |to see)\b)
        \bI(?:'d| would) (?:much )?(?:rather|prefer)\b
        \bI (?:really )?(?:don'?t|do not) (?:like|want|use|do|write|enjoy)\b
        """,
    ),
    *cues(
        Kind.PREFERENCE,
        0.86,
        r"""
        \bI (?:really |usually |generally |quite |also )?like\b(?! (?:it|that|this)\b(?! when))
        \bI (?:always|never|usually|normally|generally|typically|mostly|only|tend to) (?!forget
            |saw|see|get|ha[sd]|have|knew|know)
        \bI (?:write|format|name|structure|indent|keep) (?:my|all|every)\b
        \bI want\b[^.?]*\b(?:everything|everywhere|all|always|every)\b
        """,
    ),
    *cues(
        Kind.PREFERENCE,
        0.75,
        r"""
        \bI'?m (?:pretty |very |quite |really |a bit )?(?:allergic to|a fan of|not a fan of
            |picky about|big on|partial to)\b
        \bI(?:'d| would) (?:like|love|want) (?:you|everything|it if|the \w+) to\b
        \bI(?:'m| am) (?:happiest|most comfortable|happier) (?:with|when)\b
        \b(?:is|are) (?:fine|ok|okay|good) with me\b
        \bmy (?:preference|preferred|style|habit|rule|favou?rite|default)\b
        \b(?:for me|as for me), (?:always|please)\b
        \bI can'?t (?:read|work with|concentrate|deal with)\b(?! (?:it|that|this)\b)
        """,
    ),
    *cues(
        Kind.IDENTITY,
        0.9,
        r"""
        (?<!like )\bI(?:'m| am) (?:a|an|the) (?!bit|little|fan|big|tad|moment|few)[^.,;?]*\b
            (?:engineer|developer|dev|programmer)\b
        (?<!like )\bI(?:'m| am) (?:a|an|the) (?!bit|little|fan|big|tad|moment|few)[^.,;?]*\b
            (?:designer|person|lead|manager)\b
        (?<!like )\bI(?:'m| am) (?:a|an|the) (?!bit|little|fan|big|tad|moment|few)[^.,;?]*\b
            (?:owner|maintainer|student|teacher)\b
        (?<!like )\bI(?:'m| am) (?:a|an|the) (?!bit|little|fan|big|tad|moment|few)[^.,;?]*\b
            (?:researcher|analyst|scientist)\b
        (?<!like )\bI(?:'m| am) (?:a|an|the) (?!bit|little|fan|big|tad|moment|few)[^.,;?]*\b
            (?:architect|admin|consultant|founder)\b
        (?<!like )\bI(?:'m| am) (?:a|an|the) (?!bit|little|fan|big|tad|moment|few)[^.,;?]*\b
            (?:freelancer|beginner|newcomer|writer)\b
        """,
    ),
    *cues(
        Kind.IDENTITY,
        0.85,
        r"""
        \bI (?:work as|maintain|lead|run|manage|come from|specialise|specialize|teach|study
            |freelance)\b
        (?<!like )\bI(?:'m| am) an? (?:\w+ ){0,2}\w+ (?:who|by training|by trade|at an?|in an?
            |from|working)\b
        \bI(?:'m| am) the (?:\w+[- ])?(?:half|one|guy|person|only \w+)\b
        \bI(?:'ve| have) spent (?:\w+ )?(?:\w+|\d+) years\b
        \bwe(?:'re| are) an? [\w-]*\s?(?:startup|team|company|agency|lab|studio|shop|bank)\b
        \bmy (?:background|training|degree|job|role|day job) is\b
        \bI do (?:\w+ ){1,2}(?:for|at) (?:a|an|the)\b
        (?<!like )\bI(?:'m| am) an? (?:\w+ ){0,2}\w+(?:ician|ologist|icist|mist|ist|neer|grapher
            |ctor|yst|trist)\b
        \bI have (?:\d+|\w+) years\b
        \bI(?:'ve| have) been (?:writing|using|doing|working (?:with|as|in)|programming|coding)\b
        \bI(?:'m| am) (?:new to|not familiar with|allergic|colou?r[- ]?blind|left[- ]handed
            |dyslexic|based in|from)\b(?! adding)
        """,
    ),
    *cues(
        Kind.IDENTITY,
        0.7,
        r"""
        \bI (?:normally |usually |always )?work (?:from|\d|in|on|at|remotely|part|full)
        """,
    ),
    *cues(
        Kind.ENVIRONMENT,
        0.86,
        r"""
        \bI(?:'m| am) stuck (?:with|on)\b
        \b(?:all )?our (?:laptops|machines|workstations|network|it)\b[^.?]{0,10}\b(?:is|are|has
            |have)\b
        \bI(?:'m| am) (?:usually|mostly|often|always) (?:on|in|at)\b
        \bI work (?:on|over|from|through) (?:a|an|my)\b
        \bmy (?:main |work |home |dev |old |new )?(?:machine|laptop|computer|terminal|editor|shell
            |ide|os|keyboard|phone)\b[^.?]{0,16}\b(?:is|are|runs|has|uses)\b
        \bmy (?:setup|workstation|desktop|mac|time ?zone|distro)\b[^.?]{0,16}\b(?:is|are|runs|has
            |uses)\b
        \bI (?:recently |just |finally )?(?:switched|moved|upgraded|changed
            |migrated)\b[^.?]{0,30}\b(?:to|from)\b
        \bI use (?:an? )?(?!it\b|this\b|that\b|the same)\w
        """,
    ),
    *cues(
        Kind.ENVIRONMENT,
        0.8,
        r"""
        \bI(?:'m| am) (?:on|running|using)\b (?!it|a (?:call|break)|this|that|the \w+ (?:page
            |branch))
        \b(?:our company|the company|company policy|at work we|our it department|
            (?<!through the )corporate)\b
        """,
    ),
    # how to work from now on
    *cues(
        Kind.DIRECTIVE,
        0.88,
        r"""
        \b(?:from now on|going forward|from here on|henceforth|in (?:the )?future|as a rule
            |from today)\b
        (?:^|[.;:—-] ?|\bso |\band |\bplease |\bI mean,? )(?:please )?(?:always|never) (?!again
            |mind|on\b|in\b|at\b|to\b|the\b|a\b)\w
        , always (?!on\b|in\b|at\b|to\b|the\b|a\b|be)\w
        \b(?:don'?t|do not|never) ever\b
        ^(?:and )?when in doubt\b
        \b(?:could|can|would) you always\b
        """,
    ),
    *cues(
        Kind.DIRECTIVE,
        0.8,
        r"""
        \b(?:in general|by default|generally|as always)\b
        \b(?:whenever|every time|each time) (?:you|I)\b
        \b(?:when|before|after|if) you\b[^?]*\b(?:please|keep|use|don'?t|do not|always|never|first
            |make sure|give)\b
        \b(?:when|before|after|if) you\b[^?]*\b(?:show|ask|put|add|run|write|leave|tell|check)\b
        \b(?:can|could|would) you (?:please )?(?:keep|always|never|stop \w+ing)\b
        ^(?:please )?explain (?:it |things )?(?:like|as if|to me like)\b
        """,
    ),
    *cues(
        Kind.DIRECTIVE,
        0.76,
        r"""
        (?:^|[,.;:—-] ?|\bso |\bplease )(?:keep|make|give|show|tell|ask|write|use|answer|reply|put
            |add)\b[^.?]*\b(?:always|every time)\b
        (?:^|[,.;:—-] ?|\bso |\bplease )(?:keep|make|give|show|tell|ask|write|use|answer|reply|put
            |add)\b[^.?]*\b(?:whenever|when you)\b
        (?:^|[,.;:—-] ?|\bso |\bplease )(?:keep|make|write|use|answer|reply|put|add
            |avoid)\b[^.?]*\b(?:max|at most|at all times|under \d)
        (?:^|[,.;:—-] ?|\bso |\bplease )(?:don'?t|do not|stop|skip|avoid|leave)\b[^.?]*\b
            (?:before you|unless|without asking|ever)\b
        ^(?:please )?(?:skip|drop|keep|shorten|leave out|cut)\b[^.?]*\byour (?:answers?|replies
            |responses|explanations?|code|commits|prs?)\b
        \b(?:answer|reply|respond|explain|write|comment)\b[^.?]* (?:in (?:english|chinese
            |bullet points|short|plain|full)|briefly)\b
        \b(?:no|without|zero) (?:emojis?|exclamation marks?|apologies|filler|small talk)\b
        """,
    ),
    *cues(
        Kind.DIRECTIVE,
        0.58,
        r"""
        ^(?:please )?(?:don'?t|do not) (?!forget|worry|bother|touch|change|delete|remove|push
            |commit|merge|do|add|run)[a-z]+(?! (?:it|this|that|the|my)\b)
        ^prefer \w+
        ^(?:please )?(?:don'?t|never) (?:guess|assume)
        \bwhenever \w+[^.?]*, (?:say|tell|ask|show|warn|stop)\b
        \b(?:British|American|UK|US) (?:spelling|english)\b
        \bI skim\b|\bso put the\b
        \b[a-z]+s should (?:have|be|start|end|use|come|go)\b
        \b(?:ask|check|confirm)\b[^.?]* before (?:touching|changing|deleting|running|pushing
            |editing)\b
        """,
    ),
    *cues(Kind.DIRECTIVE, 0.55, r"\b(?:ask me|check with me|tell me) (?:first|before)\b"),
    # rules of the project
    *cues(
        Kind.NORM,
        0.74,
        r"""
        \b(?:we|everyone|everybody|the team) (?:always|never|only|all|usually|normally|must
            |have to)\b
        \b(?:we|everyone|everybody|the team) (?:don'?t|do not) (?!have|know|need|see|want|think
            |care)\w
        \b(?:must(?:n'?t)?|must not|is forbidden|are forbidden|not allowed|is banned|are banned
            |mandatory)\b
        \b(?:has to be|have to be|is required|are required|is disabled|are disabled)\b
        \b(?:rule of the house|house rule|policy|convention|our rule|the rule|as a rule|the bar
            |guideline)\b
        \bnothing (?:in|under|from) \w+[^.?]{0,20} (?:may|must|should|can)\b
        \b[a-z]+ (?:\w+ )?never (?:leaves?|touch(?:es)?|goes|go|calls?|imports?|contains?|sees?
            |stores?)\b
        \b(?:every|all|each|any) (?!the)[\w -]{2,30}? (?:needs?|must|gets?|goes|go|requires?
            |should)\b
        """,
    ),
    *cues(
        Kind.NORM,
        0.6,
        r"""
        (?:^|[,;:] ?)no \w+s? (?:after|before|on|in|without|unless|over|longer)\b
        \b(?:is|are|was) (?:deprecated|gone|dead|retired|obsolete|discontinued|legacy)\b
        \bno longer (?:use|used|supported|maintained)\b
        \b(?:minimum|maximum|at least|at most|supported versions?|limit(?:ed)? (?:is|to)|capped at
            |threshold)\b
        """,
    ),
    *cues(
        Kind.NORM,
        0.5,
        r"""
        \b(?:should (?:be|always|never|not)|shouldn'?t|goes? (?:to|through|into|in)|go through
            |ends? with|starts? with)\b
        \bstays? (?:up|on|in|until)\b|\buntil (?:the )?end of\b
        \b(?:is|are) (?:never|always|only|all) \w+
        """,
    ),
    *cues(
        Kind.NORM,
        0.35,
        r"""
        \b(?:never|always|everywhere|nothing else|no exceptions|only ever|at all times
            |not (?:a )?single)\b
        , ever$|\bonly$
        """,
    ),
    # the project and its parts
    *cues(
        Kind.SLOT,
        0.74,
        r"""
        \bwe(?:'re| are)? (?:also |already |always )?(?:use|using|run|running|deploy|host|store
            |send|ship|rely|do|keep|have)\b(?! a (?:bug|problem|look))
        \bwe(?:'re| are)? (?:also |already |always )?(?:sit on|pay|paying|build|test|write|log
            |track|target|support|publish|pin)\b
        \bwe(?:'ve| have) (?:already )?got\b
        \bour [a-z-]+(?: [a-z-]+)? (?:is|are|runs?|uses?|lives?|sits?)\b
        \b(?:is|are|repo|repository|bucket|org|project|table|queue|topic) (?:called|named)\b
        \bit'?s an? [A-Z][\w.+#]+ (?:app|service|project|site|library|monorepo|api|backend
            |frontend|package)\b
        """,
    ),
    *cues(
        Kind.SLOT,
        0.6,
        r"""
        \b(?:is|are) (?:on|written in|built (?:with|on)|hosted (?:on|at)|based on|powered by
            |backed by)\b
        \b(?:is|are) (?:stored|kept|saved|deleted|generated|encrypted|compressed|versioned|cached
            |synced|served) (?:in|as|on|by|after|with)\b
        """,
    ),
    # addresses, ports, key places
    *cues(
        Kind.CONFIG,
        0.88,
        r"""
        \b(?:url|address|domain|host|endpoint|staging|production|prod|dashboard
            |metabase)\b[^.?]{0,30}https?://
        \b(?:grafana|kibana|jenkins|sentry|api|docs?|site)\b[^.?]{0,30}https?://
        \b(?:listens? on|runs? on|exposed on|bound to|served (?:on|from)|port(?: is| =
            |:)?) (?:port )?\d{2,5}\b
        """,
    ),
    *cues(
        Kind.CONFIG,
        0.76,
        r"""
        https?://[^\s，。]+
        \b(?:secrets?|credentials|tokens|keys) (?:live|lives|are|go|belong|come)\b[^.?]{0,10}(?:in
            |into|from)\b
        \b(?:alerts?|notifications?|logs?|metrics|errors) (?:go|are sent|land|end up) (?:to|in)\b
        """,
    ),
    *cues(
        Kind.PATH,
        0.85,
        r"""
        \b(?:live|lives|belong|belongs|go|goes|are|is|sit|sits|kept|stored|put|moved) (?:in|under
            |into|to|at) `?[\w.-]+/[\w./-]+
        """,
    ),
    # choices
    *cues(
        Kind.DECISION,
        0.88,
        r"""
        \b(?:we|I)(?:'ve| have)? (?:just )?(?:decided|chose|chosen|picked|settled on|opted
            |agreed)\b
        \b(?:let'?s|lets|we'll|we will|I'll) (?:go with|use|stick with|stick to|stay (?:on|with)
            |adopt|switch to)\b
        \b(?:let'?s|lets|we'll|we will|I'll) (?:standardi[sz]e on|not use|not go|keep using|drop)\b
        \b(?:it'?s|that'?s|then it'?s) (?:settled|decided|final)\b|^(?:decision|decided|settled
            |final call|the verdict|verdict|conclusion)\b ?[:—-]?
        \b(?:we'?re|we are|I'?m) (?:going with|going for|moving (?:to|over to)|sticking with
            |staying (?:on|with)|dropping)\b
        """,
    ),
    *cues(
        Kind.DECISION,
        0.8,
        r"""
        \b(?:looked at|considered|compared|evaluated|tried out|weighed)\b[^.?]*\bbut\b
        \bno more \w+[\w ]*, \w+[\w ]* only\b|\bonly from (?:here|now)\b
        \bwe (?:go|are going|'re going) with [A-Z]
        ^[A-Z][\w.+#-]* it is\b
        \b(?:made up my mind|talked (?:it|this) over|agreed (?:with|in) the (?:team|meeting)
            |made the call)\b
        \blet'?s (?:do (?:it|this|that): |settle (?:this|that|it|on))
        \b(?:so|we) (?:stay|stick|keep|remain) (?:on|with|to|using)\b
        \binstead of\b[^.?]*\b(?:we|going)\b|\bin favou?r of\b
        """,
    ),
    # results
    *cues(
        Kind.DEPLOYMENT,
        0.84,
        r"""
        \b(?:has been|have been|is|are|was|were|successfully|now|got|just) (?:now |just )?
            (?:deployed|released|published)\b|\b(?:has been|have been|was|were|just) shipped\b
        \b(?:has been|have been|is|are|was|were|successfully|now|got|just) (?:now |just )?
            (?:rolled out|uploaded|promoted|live)\b
        ^(?:deployed|shipped|released|published|rolled out|promoted)\b[: ]
        """,
    ),
    *cues(
        Kind.DEPLOYMENT,
        0.76,
        r"""
        \b(?:is|are) (?:now )?(?:in|on|running in|running on) (?:production|prod|staging)\b
        """,
    ),
    *cues(
        Kind.MILESTONE,
        0.86,
        r"""
        \bv?\d+\.\d+(?:\.\d+)?\b[^.?]{0,12}\b(?:is out|is live|went out|shipped|released|available
            |landed)\b
        \bwe(?:'ve| have)? (?:just |finally |now )?(?:finished|completed|launched|shipped|released
            |hit|passed|wrapped up)\b
        \b(?:migration|rewrite|refactoring|rollout|move|upgrade|launch|integration
            |redesign)\b[^.?]* (?:is|are) (?:done|complete|finished|over)\b
        \b(?:was|is|got) signed off\b|\b(?:we )?cut over (?:at|to|on|last|this)\b
        \bwe(?:'ve)? (?:just )?(?:went|gone) live\b|\b(?:is|are) (?:now )?(?:public
            |generally available)\b
        \b(?:released|published|launched) v?\d+\.\d+
        """,
    ),
    # words and lessons
    *cues(
        Kind.CONCEPT,
        0.88,
        r"""
        [\"'“][\w -]{1,24}[\"'”] (?:in our \w+ |here |for us |to us )?(?:means|stands for
            |refers to|is short for|is what we call)\b
        \b[A-Za-z_]+ (?:in our \w+ |here |for us )?(?:stands for|refers to|is short for
            |is our (?:word|name) for)\b
        \bby [\"'“][\w -]{1,24}[\"'”] we mean\b
        (?-i:\b[A-Z]{2,}) here (?:is|means)\b
        \bwe call (?:the|a|our|it)[\w ]* [\"'“]?[\w -]+
        \bwhen (?:I|we) say \S+ (?:I|we) mean\b
        [\"'“][\w -]{1,24}[\"'”] (?:in this|in our|in the) \w+ (?:is|are|means?)\b
        """,
    ),
    *cues(
        Kind.LESSON,
        0.86,
        r"""
        \b(?:got bitten|bit us|burned us|got burned|learned the hard way|lesson learned
            |shot ourselves)\b
        \b(?:we|I) (?:already )?tried\b[^.?]*\b(?:but|and|didn'?t|failed|exploded|crashed|too slow
            |broke)\b
        \b(?:not worth it|wasn'?t worth it|was(?: just)? too (?:flaky|slow|fragile|complex)
            |was a (?:nightmare|disaster|mistake))\b
        \b(?:gave up on|that (?:one )?cost us|cost us (?:a|\d+|\w+) (?:day|week|month)s?)\b
        \b(?:burned|wasted|lost) (?:\w+ )?(?:days|weeks|months)\b
        \b(?:don'?t|never|do not) (?:go|try|do|suggest) (?:there|that|it) again\b
        \bcaused\b[^.?]*\b(?:for (?:days|weeks|months)|outages?|incidents?|data loss)\b
        """,
    ),
    *cues(
        Kind.LESSON,
        0.74,
        r"""
        \b(?:isn'?t enough|is not enough|doesn'?t scale|does not scale|doesn'?t work (?:with|on
            |for)|never worked)\b
        \bdoes not work (?:with|on|for)\b|\bnever again\b(?=.{3})|.{12}\bnever again\b
        """,
    ),
    *cues(Kind.LESSON, 0.45, r"\bOOMs?\b|\bcrashed with\b|\bbill exploded\b"),
    *cues(
        Kind.GOAL,
        0.88,
        r"""
        \b(?:this|the current|next) (?:sprint|iteration|week|month|quarter|milestone)
            (?:'s)? (?:is (?:all )?about|goal is|focus is)\b
        \b(?:goal|focus|priority) (?:of|for) (?:this|the current|next) (?:sprint|iteration|week
            |month|quarter)\b
        """,
    ),
    # what a person asks an agent to stop, and how answers should be
    *cues(
        Kind.DIRECTIVE,
        0.8,
        r"""
        ^(?:and |ok,? |okay,? |also,? )?(?:please |pls )?(?:stop|quit|cease) (?!the (?:server
            |process|container|job|build|service)|it\b|here\b|now\b|at\b|for\b|working\b)\w+ing\b
        \b(?:enough|no more|less|fewer|skip the|spare me the|cut the|drop the
            |lose the) [\w -]{2,40} (?:in|from|at the (?:end|start|top) of) (?:your|the
            |my) (?:answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|messages?|code
            |comments?|commits?|diffs?|prs?)\b
        ^(?:please )?(?:give|show|send|tell|explain|walk|write|keep|put|ask|present|list
            |summari[sz]e)\b[^.?!]*\b(?:first|before (?:touching|changing|editing|writing|you|doing
            |any)|at most|max(?:imum)?|or less|no longer than|in (?:one|two|three|a few|bullet
            |plain|short)|step by step|one at a time|at a time)\b
        \b(?:wait for|ask for|get) my (?:go|ok|okay|approval|permission|confirmation|answer)\b
        \b(?:don'?t|do not|never) (?:ever )?(?:tell|ask|remind|explain|give|show|call|apologi[sz]e
            |assume|suggest|repeat|summari[sz]e|praise|thank)\b(?! (?:it|this|that)\b)
        \bno need to (?:explain|tell|ask|summari[sz]e|apologi[sz]e|repeat|add)\b
        \b(?:so )?(?:keep|make) (?:the |your |all )?(?:hunks|diffs|commits|answers|replies
            |explanations|summaries|functions|prs|changes|comments|names
            |messages)\b[^.?!]{0,24}\b(?:small|short|brief|concise|tiny|minimal|plain|simple
            |separate|focused|under|below)\b
        """,
    ),
    *cues(
        Kind.PREFERENCE,
        0.85,
        r"""
        \bI(?:'m| am) (?:a |not a |no |really a )?(?:big |huge |great )?(?:fan of|into|fond of
            |sold on|used to)\b
        \bI (?:strongly |really |much |definitely )?(?:like|love|favou?r|value|appreciate|dislike
            |despise|detest|loathe|avoid|swear by|care about|insist on|lean towards?)\b (?!it\b
            |that\b|this\b|the way (?:this|that))\w
        \bI (?:can'?t|cannot|couldn'?t) (?:stand|bear|live without)\b
        \bI (?:don'?t|do not) (?:care for|believe in|trust|need)\b [\w -]{3,}
        \b(?:works?|reads?|suits?) (?:best|better) for me\b|\bI find [\w -]{2,40} (?:easier|harder
            |clearer|cleaner|ugly|annoying|confusing|distracting|unreadable)\b
        \bI read \w+ on (?:a|my)\b
        """,
    ),
    *cues(
        Kind.IDENTITY,
        0.86,
        r"""
        \b(?:call|address) me (?-i:[A-Z])\w+|\bmy name is\b|\bI(?:'m| am) called\b|\bI go by\b
        \bI (?:work|live|operate) (?:out of|from|in) (?:the )?(?-i:[A-Z])\w+
        \bI(?:'m| am) (?:the|an?) (?:only|sole|new|one-person|lone)\b
        \bI(?:'m| am) (?:in|on) (?:the )?(?:(?-i:[A-Z]{2,4})|(?-i:[A-Z])\w+) (?:time|time ?zone)\b
        \bI (?:come|came) from (?:a )?[\w -]{2,24}(?:background|world|side)\b|\bI (?:studied
            |majored in|trained as|started out (?:as|in))\b
        \bI(?:'ve| have) (?:used|written|done|worked (?:with|in|on)|known
            |shipped) [\w.+# -]{1,24} for (?:\w+|\d+) (?:years|months|decades)\b
        \b(?:my|in my) (?:first|native|mother|second) (?:language|tongue)\b|\bI (?:speak
            |don'?t speak|barely speak)\b
        \bI (?:don'?t know|never learned|never used|barely know
            |know) (?-i:[A-Z])[\w.+#-]*(?: (?:well|inside out|at all|yet))?\b
        """,
    ),
    *cues(
        Kind.NORM,
        0.8,
        r"""
        ^(?:nobody|no one|no-one|none of us|everyone|everybody|anyone|whoever) (?!knows|cares|said
            |told|noticed|asked|uses this)\w+(?:s|es)?\b[^.?!]*\b(?:without|before|after|to|on|in
            |unless|until|directly)\b
        ^no (?:new |more |further |direct |manual |force )?[\w-]+(?: [\w-]+){0,3} (?:in|on|to|into
            |from|for|without|after|before|outside|inside|during|over|above) (?:the |a |an[ ]
            |our )?[\w-]+
        ^(?:please )?(?:keep|leave) (?:all |any |the |every )?[\w -]{2,30} (?:out of|in|inside
            |under|within|off|away from|behind) (?:the |our )?[\w./-]+(?:$|[.,;:]| (?:only|always
            |at all times))
        ^(?:all|every|each|any) [\w -]{2,40} (?:is|are|has|have|needs?|must|should|gets?|goes?
            |carr(?:y|ies)|comes?|requires?|uses?|starts?|ends?|stays?|lives?|belongs?|follows?)\b
        \b(?:full stop|period|no exceptions|no matter what|under no circumstances
            |without exception)\b[.!]?$
        ^(?:never|always|only) (?!mind|again|ever$)[a-z]+ (?:\w+ ){0,6}\w+
        \b(?:that|this|it)(?:'s| is) (?:a |the |our )?(?:house |team |hard |golden |iron )?(?:rule
            |policy|convention|law|agreement)\b
        \b(?:is|are) (?:off[- ]limits|frozen|read[- ]only|append[- ]only|immutable|taboo
            |out of bounds)\b
        \bonly (?:\w+ )?(?:may|can|is allowed to|are allowed to|gets? to)\b
        """,
    ),
    *cues(
        Kind.SLOT,
        0.76,
        r"""
        ^(?:this|the|our) (?:repo|repository|project|codebase|monorepo|app|service|team|package
            |cluster|build|stack)\b (?:\w+ )?(?:has|contains|consists of|holds|is split into|uses
            |runs|targets|supports|does|is made of|ships|depends on|follows|lives|builds)\b
        \bour (?:team|group|squad|company|project|org) (?:does|uses|runs|follows|practi[sc]es|works
            |has|holds|keeps|deploys|ships|meets|writes|sits|is)\b
        \bwe (?:hold|do|have|run|use|keep|follow|meet|deploy|release|ship|branch|squash|rebase
            |merge|review|pair|tag|log|store|target|sit|work)\b (?!a (?:bug|problem|look|question)
            |to\b|no idea)[^?]{4,}
        \bwe(?:'re| are) on (?!it\b|the same|track|call|a (?:call|break))(?:an? |the )?[\w-]+
        \b(?:comes?|are taken|is taken|are loaded|is loaded) from (?:the |our )?[\w-]+
        ^(?:there are|there is|we have) (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten
            |twelve) [\w -]+
        ^(?:all )?[\w-]+ (?:names?|keys?|ids?|dates|fields|columns|messages|paths|flags
            |titles) (?:are|is|use|have) [\w -]+
        \bour [\w -]{2,30} (?:changes?|rotates?|meets?|starts?|ends?|happens?|runs?|is|are|comes?
            |goes?|expires?|lives?|sits?|lands?|closes?|opens?)\b
        \b(?:lands?|ends? up|lives?|sits?|stays?|is stored|are stored|is kept|are kept
            |gets? written|goes?|is served|runs?|listens?) (?:in|on|at|under|behind|from
            |to) (?:the |a |an |our )?[\w-]+(?:[ -][\w./-]+)?
        """,
    ),
    *cues(
        Kind.DECISION,
        0.86,
        r"""
        \b(?:we(?:'ve| have)?|I(?:'ve)?|the team) (?:just |finally |already )?(?:ruled out
            |ruled against|rejected|dropped|discarded|abandoned|scrapped|decided against
            |voted (?:for|against)|committed to|standardi[sz]ed on|landed on|converged on)\b
        \b(?:is|are|was|were) (?:off the table|ruled out|a no-go|out of the question)\b
        \b(?:everything|anything|all) new (?:goes|uses|is|gets|lives|runs|must|will)\b
        """,
    ),
    *cues(
        Kind.LESSON,
        0.84,
        r"""
        \b(?:leaked|crashed|exploded|died|melted|corrupted|deadlocked|froze|timed out|blew up
            |fell over|broke)\b[^.?!]*\b(?:off the table|never again|not again|ruled out|gave up
            |abandoned|dropped it|reverted|so (?:don'?t|we don'?t|no))\b
        \b(?:we|I) (?:already )?(?:tried|attempted|experimented with|went down)\b[^?]*\b(?:but
            |and it|until|was|were|didn'?t|never|too|unusable|abandoned|gave up|reverted)\b
        \b(?:turned out to be|proved) (?:a |an |too )?(?:mistake|dead end|nightmare|disaster|slow
            |fragile|unreliable|unusable|flaky|buggy)\b
        """,
    ),
    *cues(
        Kind.CONCEPT,
        0.88,
        r"""
        ^by (?:an? |the )?[\w -]{2,30} (?:we|I) (?:mean|understand)\b
        \bwhat we call (?:an? |the )?[\w -]+|\bin (?:this|our) (?:tool|project|repo|app|codebase
            |team|company|domain)[, ]+(?:an? |the )?[\"'“]?[\w -]{2,24}[\"'”]? (?:is|means
            |refers to|stands for)\b
        ^an? [\"'“]?[\w-]{2,24}[\"'”]? (?:here )?is (?:an? |the )?[\w -]{3,}, not (?:an?[ ]
            |the )?[\w -]+
        """,
    ),
    *cues(
        Kind.MILESTONE,
        0.86,
        r"""
        \bmilestone (?:reached|done|hit|met|completed)\b|\b(?:phase|part|stage|milestone
            |step) (?:\w+|\d+) (?:is )?(?:done|complete(?:d)?|finished|over|closed)\b
        \bwe (?:just |finally )?(?:shipped|launched|finished|delivered|released|completed
            |handed over|went live with)\b
        """,
    ),
    # what holds, was tried or ended, by the frame of the sentence alone
    *cues(
        Kind.LESSON,
        0.84,
        r"""
        \bgot (?:us|me) (?:\w+ )?(?:limited|banned|blocked|throttled|burned|bitten|fined|paged)\b
        .{20,}[,;:—-] ?(?:and |so )?(?:that|this|it) (?:doesn'?t|didn'?t|does not|did not
            |won'?t) (?:work|fly|scale|hold|pay off)(?: out)?\b
        \b(?:backfired|bit us|came back to (?:bite|haunt) us)\b
        """,
    ),
    *cues(
        Kind.PREFERENCE,
        0.86,
        r"""
        \bI (?:really |just )?(?:love|like|hate|prefer) it when\b
        """,
    ),
    *cues(
        Kind.NORM,
        0.86,
        r"""
        ^(?:under no circumstances|on no account|whatever you do|at no point)\b
        \b(?:must|may|shall|can) (?:not|never) (?:be |end |go |leave |contain |hold |appear |come )
        """,
    ),
    *cues(
        Kind.NORM,
        0.74,
        r"""
        \b(?:has|have) been (?:switched off|turned off|shut down|decommissioned|retired|deprecated
            |sunset|discontinued|phased out)\b
        ^(?!(?:the|these|those|we|you|they|my|your)\b)[a-z][\w-]*(?: [\w-]+){0,3}s (?:need|require
            |must|should|carry|start with|end with|have to)\b(?! to\b| fixing| work| help)
        """,
    ),
    *cues(
        Kind.DIRECTIVE,
        0.8,
        r"""
        ^(?:please )?(?:don'?t|do not) (?:keep|always|constantly|continually) \w+
        ^(?:enough with|no more|spare me|lose) (?:the |your )?[\w -]{3,}
        """,
    ),
    *cues(
        Kind.SLOT,
        0.78,
        r"""
        ^(?:on|in|at|within|across) (?:our|the) (?:team|group|squad|company|org|department|office)
            \b,? [\w'][^?]{6,}
        """,
    ),
    *cues(
        Kind.DECISION,
        0.86,
        r"""
        \b(?:we|I|the team) (?:went|ended up|stuck|stayed) (?:with|for)\b
        \bwe(?:'ve| have)? (?:stopped|ended|discontinued) (?:using |the )?(?:support\w*|maintain\w*
            |publish\w*|using|writing|shipping|building)\b
        """,
    ),
    *cues(
        Kind.LESSON,
        0.84,
        r"""
        \b(?:not|never|won'?t be) (?:doing|going|trying|using|touching|falling for)
            (?:that|this|it|there|down that road)(?: path| road)? (?:again|any ?more)\b
        """,
    ),
    *cues(
        Kind.DECISION,
        0.88,
        r"""
        \bwe(?:'re| are) (?:standardi[sz]|mov|switch|migrat|consolidat|settl|converg)ing
            (?: over)? (?:to|on|onto)\b
        \b(?:we|the team|everyone) (?:voted|agreed|resolved|concluded)\b
        \bit'?s (?:official|final|settled|decided)\b
        """,
    ),
    *cues(
        Kind.CONCEPT,
        0.88,
        r"""
        \bwhen (?:I|we|you|people) (?:say|talk about|write|hear) .{1,32}? (?:I|we|they|it) means?\b
        """,
    ),
    *cues(
        Kind.ENVIRONMENT,
        0.84,
        r"""
        \bI (?:develop|code|program|type|build|edit|debug) (?:on|in|with|under|from|inside)[ ]
            (?!this|that|it\b)[\w-]+
        """,
    ),
    *cues(
        Kind.NORM,
        0.86,
        r"""
        \b(?:we|everyone|everybody|the team) (?:never|always|only|must) (?!again|had|have|got)\w+
        ^[a-z][\w -]{2,30} (?:follow|obey|adhere to|stick to|conform to)s?\b
        ^(?:each|every|all) [\w -]{2,30} (?:owns?|has|have|carr(?:y|ies)|belongs?|maps?|lives?)\b
        """,
    ),
    *cues(
        Kind.NORM,
        0.8,
        r"""
        ^(?:put|place|store|save|write) (?:all|any|every|new|your|the) [\w -]{2,30} (?:under|in|into
            |to|inside|at) `?[\w.-]+/[\w./-]*
        \bbefore (?:every|each|any|a) (?:release|merge|deploy\w*|push|commit|pr|pull request)\b
        """,
    ),
    *cues(
        Kind.DIRECTIVE,
        0.8,
        r"""
        ^(?:please )?(?:don'?t|do not|never)\b[^.?!]*\b(?:every|each) (?:message|answer|reply|time
            |response|line|function|file|commit|paragraph|sentence)\b
        """,
    ),
    *cues(
        Kind.PREFERENCE,
        0.82,
        r"""
        \bI want (?!to\b|you\b|the\b|this\b|that\b|it\b|a\b|an\b)[\w-]+ [\w -]{2,}
        """,
    ),
    *cues(
        Kind.DIRECTIVE,
        0.82,
        r"""
        ^(?:please )?(?:(?:talk|speak|write) to me|treat me)\b
        ^(?:please )?(?:don'?t|do not) (?:add|use|write|put|insert|generate|create|include|wrap)
            (?! ?(?:the|this|that|it|a|an|my|any more)\b) [\w -]+s\b
        """,
    ),
    *cues(
        Kind.NORM,
        0.8,
        r"""
        ^(?:an?|the|our|no|every|each)? ?[\w -]{2,30} (?:may|must|should|shall) (?:not|never)\b
        """,
    ),
)
