"""The words around credentials: what names a password, and what is said of one without telling it.

After "password is", "密码：" and their like the burden is turned round (design, section 6):
whatever follows is a password unless its first word stands here or it is a placeholder.
"""

from __future__ import annotations

import re

PASSWORD_NAMES = (
    r"(?:pass(?:[ -]?words?|wds?|codes?|phrases?)|(?<![A-Za-z])(?:pwd|pw)(?![A-Za-z])"
    r"|(?<![A-Za-z])(?:unlock|lock ?screen) (?:code|pattern)|requirepass|bindpw"
    r"|(?:[_.]|(?<=[a-z])(?=P))(?:pwd|pass|Pass|pw)(?![A-Za-z])"
    r"|(?:wi-?fi|wlan|network|router|wpa2?) ?-?(?:key|schlüssel)"
    r"|passw(?:ort|örter)(?:s|es)?|kennwort(?:es)?|zugangscode|mots? de passe|contraseñas?"
    r"|(?<![a-z])clave(?![a-z])(?: del?(?: la)? [\w-]+)?|(?<![a-z])senhas?(?![a-z])|palavra-passe"
    r"|parola d['’]ordine|(?<![a-z])parol[aă](?![a-z])|wachtwoord(?:en)?"
    r"|hasł[oa]|(?<![a-z])hesl[oa](?![a-z])"
    r"|lösenord(?:et)?|passord(?:et)?|adgangskode(?:n)?|kodeord(?:et)?|salasana(?:si|ni)?|jelsz[óo]"
    r"|(?<!\w)(?:şifre|sifre)(?:si|m|niz)?(?!\w)|парол[ьяюи]"
    r"|κωδικός|geslo|lozinka|mật khẩu|kata sandi"
    r"|パスワード|暗証番号|合言葉|비밀번호|암호|密码|密碼|口令|开机码|授权码)"
)
"""Nouns for a password in the languages of Europe and East Asia."""

IS = (
    r"(?:is|was|are|were|will be|has been|should be|must be|got|gets|becomes|became|equals|reads"
    r"|ist|lautet|war|heißt|est|c['’]est|était|es|era|é|è|to|jest|är|er|on|je|van|dir"
    r"|это|był[oa]?)"
)
"""Words between a password's name and the password."""

ADVERBS = (
    r"(?:now|currently|still|just|simply|always|temporarily|actually|again|literally|probably"
    r"|usually|maybe|really|obviously|jetzt|noch|immer|maintenant|toujours|ahora|set to|changed to"
    r"|back to|(?:set|changed|reset|updated|rotated|switched) (?:back )?to"
    r"|the (?:word|string|text|phrase|name))"
)

_STATES = """
a an the this that these those it its his her our their your my no not never nothing none nil null
undefined any some each every one two three four five six eight ten twelve at in on of by for from
to into inside via per with within without under over above below after before during until unless
while when where which what who whose how why if as and or but so because than then there here see
ask check look read use using used uses type enter get fetch find ping contact request provide
generate generated create created must should shall may might can cannot can't could will would
won't don't doesn't isn't wasn't has have had do does did be been being too very quite only also
already almost even still just yet always usually currently currently. longer shorter min max
minimum maximum minimal least most more less exactly between up about around approximately
required requires require requiring optional mandatory missing present absent empty blank unset set
unknown known invalid valid wrong right correct incorrect bad good weak strong strength simple
complex long short same identical equal different unique shared common individual personal private
public secret sensitive confidential internal external default custom temporary permanent static
dynamic random numeric alphanumeric alphabetic digits digit number numbers letters letter characters
character chars lowercase uppercase case-sensitive case-insensitive case sensitive insensitive plain
plaintext plain-text cleartext clear hidden visible shown showing masked redacted removed omitted
stripped hashed salted encrypted unencrypted encoded decoded signed stored saved kept held placed
put located found hosted cached persisted written printed logged displayed entered typed pasted
copied sent transmitted passed submitted returned received read loaded injected mounted provided
supplied given taken derived computed generated created changed changing updated reset resetting
rotated rotating revoked expired expiring expires expire leaked exposed compromised stolen lost
forgotten remembered known needed wanted asked requested prompted verified validated checked
compared matched rejected accepted refused denied allowed disallowed forbidden protected guarded
secured managed handled maintained owned controlled configured configurable enabled disabled
supported unsupported deprecated obsolete outdated old new fresh current previous next last first
auto automatic automatically manual manually hard hardcoded hard-coded easy impossible possible
important unimportant useless useful safe unsafe insecure secure vulnerable broken working ok okay
fine yes true false on off pending todo tbd n/a na example sample placeholder changeme string str
text bytes byte int integer bool boolean float field column varchar char object array list dict map
tuple enum type any optional secretstr uuid env environment variable vault keychain keyring key
token password passphrase passcode passwd hash hashing bcrypt scrypt argon2 argon2id pbkdf2 sha256
md5 hmac 1password bitwarden lastpass keepass keepassxc dashlane doppler infisical sops kms hsm
ldap sso oauth oauth2 saml mfa 2fa totp fido webauthn passkey passkeys free less based only-once
dead gone live real fake dummy mock mocked ignored unused inherited overridden truncated padded
split limited unlimited bound tied linked attached synced synchronized identical rate-limited
someone somebody everyone everybody nobody anyone anybody something anything everything-else
mine yours theirs ours them they he she we you i up-to-date sent-by handed agreed whatever
self-service up. required. optional. ready fixed tested reviewed
"""
_STATES_ELSEWHERE = """
im in der die das den dem ein eine einer beim bei von vom auf an zu zum zur nicht nie kein keine
erforderlich optional leer falsch richtig ungültig abgelaufen gespeichert hinterlegt verschlüsselt
gehasht geändert sicher unsicher zu kurz lang wird wurde muss soll kann darf hat mindestens pflicht
dans le la les un une du de des au aux chez sur pas ne jamais obligatoire requis requise vide faux
incorrect expiré stocké stockée enregistré chiffré haché changé trop géré oublié oubliée minimum
doit peut sera sous par en el los las una al del sobre no nunca obligatoria obligatorio requerida
requerido vacía incorrecta caducada guardada almacenada cifrada demasiado mínimo mínima máximo debe
puede opcional o os as um uma do da dos das no na nos nas não obrigatória obrigatório vazia errada
expirada guardado armazenada criptografada muito deve pode il lo gli uno nel nella sul sulla non
obbligatoria obbligatorio vuota sbagliata scaduta salvata conservata cifrata troppo het een niet
verplicht leeg fout onjuist verlopen opgeslagen versleuteld te moet kan wordt w na nie jest wymagane
puste błędne zapisane w хранится обязателен неверный пустой в на не нужен лежит указан зашифрован
изменён менять знает задаётся
"""
STATES = frozenset(_STATES.split()) | frozenset(_STATES_ELSEWHERE.split())
"""What a sentence about a password goes on with when it does not tell it."""

CONTINUES = re.compile(
    r"(?i)\s+(?:by|with|in|at|to|from|via|through|using|before|after|when|as|per|every|daily|weekly"
    r"|monthly|until|while|because|automatically|than|that|enough|against|over|under|of|during)\b"
)
"""What follows a participle or an adjective, and seldom a password."""

DESCRIBES = re.compile(
    r"(?:ed|able|ible|ing|ly|less|ful|ous|ive|ory|ary|ent|ant|ic|ise|ize|ness|tion|ment)$"
)
"""Endings of words that describe; they count only before what CONTINUES."""

_COMPOUNDS = """
    manager managers policy policies reset resets resetting field fields hash hashes hashing auth
    authentication login logins prompt prompts protection protected rotation strength length file
    files store stores storage entry input inputs form forms change changes and or rules rule
    generator vault safe expiry expiration history recovery page pages flow flows screen box boxes
    hint hints check checks checker checking validation validator complexity requirements
    requirement requests request attempts attempt guessing cracking spraying breach breaches leak
    leaks sharing database db list lists column columns table hashed encryption encrypted less
    update updates confirmation again dialog modal component widget endpoint endpoints api
    service services grant mode method methods type types handling management mail email link
    links token tokens string strings characters feature features support settings setting option
    options parameter argument variable variables provider based enabled disabled required
    authenticated zip archive archives only instead
"""
COMPOUNDS = frozenset(_COMPOUNDS.split())
"""Nouns that make one word with "password" before them."""

DESCRIBES_ZH = re.compile(
    r"的|必填|必须|必要|可选|选填|不能|不可|不要|不得|不少|不超|不低|不足|不对|不同|不变|不用|不会|不是|不再|不允|不正确"
    r"|不一致|为空|空的?$|空值|至少|最少|最多|最长|最短|长度|位|字符|字母|数字|大小写|特殊|加密|明文|密文|哈希|加盐|脱敏|隐藏"
    r"|存|放在|保存|保管|保密|读取|传入|传递|配置|环境|变量|生成|随机|自动|自己|自行|手动|用户|管理|运维|平台|系统"
    r"|公司|同事|团队|过期|有效|无效|失效|错误|正确|强度|较?弱|较?强|中等|默认|相同|一样|一致|同上|同样|重置|修改|更换"
    r"|轮换|泄露|忘记|什么|多少|怎么|哪|谁|吗|呢|请|问|找|见|看|查|参考|暂无|没有|未设|未知|待定|另外|单独|统一|需要"
    r"|要|应该|应当|可以|已经|已|由|从|和|与|或|跟|以|用来|用于|通过|根据|按照|关闭|开启|启用|禁用|支持|登录|字段|校验"
    r"|验证|输入|参数|类型|字符串|整数|密码|口令|文件|仓库|脚本|功能|模块|页面|强制|敏感|临时|初始|一次性|唯一|公开|共享"
    r"|安全|复杂|简单|旧|新|老"
)
"""What stands in a Chinese clause that tells something about a password without telling it."""
