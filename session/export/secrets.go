package export

import (
	"strings"

	"parley/internal/lazyregexp"
)

// hidden replaces a secret.
const hidden = "***"

// Secrets by their form. None of the expressions crosses a quotation mark, so that they fit encoded JSON too.
var (
	// tokens are secrets that their own beginning gives away: of GitHub, GitLab, Anthropic, OpenAI, Slack, Google, AWS, npm,
	// Hugging Face, PyPI and Stripe, JSON web tokens, and private keys. Titles of calls are cut off, also within one.
	tokens = lazyregexp.New(`\b(?:gh[opsur]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|sk-[\w-]{16,}|xox[a-z]-[\w-]{10,}|` +
		`AIza[\w-]{30,}|A(?:KI|SI)A[0-9A-Z]{16}|npm_\w{30,}|hf_\w{30,}|pypi-[\w-]{30,}|[rs]k_live_\w{16,}|` +
		`eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)|` +
		`\b(?:gh[opsur]_|github_pat_|glpat-|sk-|xox[a-z]-|AIza|A(?:KI|SI)A|npm_|hf_|pypi-|[rs]k_live_|eyJ)[\w.-]*…|` +
		`-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[^"]*?-----END [A-Z ]*PRIVATE KEY-----|[\w+/=\s\\]*)`)
	// headers are credentials of HTTP, addresses have passwords; what names them stays.
	headers   = lazyregexp.New(`(?i)\b(bearer\s+|basic\s+)([\w.~+/=-]{8,})`)
	addresses = lazyregexp.New(`(\w://[^\s/:@"]*:)[^\s/@"]{3,}@`)
	// named are values of names such as API_KEY, and of options such as --password.
	named = lazyregexp.New(`(?i)((?:secret|token|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)` +
		`(?:\\?["'])?(?:\s*[:=]\s*|\s+)(?:\\?["'])?)([\w.~+/=!@#%^*-]{6,})`)
)

// mask replaces what looks like a secret: tokens of known forms, credentials in headers and addresses, and values of names that
// say so. A value without a digit, or that reads like a path or a call, is taken for a word.
func mask(text string) string {
	text = tokens.Get().ReplaceAllString(text, hidden)
	text = addresses.Get().ReplaceAllString(text, "${1}"+hidden+"@")
	text = replaceValue(headers, text, func(_, value string) bool { return strings.ContainsAny(value, "0123456789") })
	return replaceValue(named, text, func(name, value string) bool {
		assigned := strings.ContainsAny(name, "=:")
		return strings.ContainsAny(value, "0123456789") && (assigned || len(value) >= 16) && !strings.HasPrefix(value, "/") ||
			strings.Contains(name, "=") && strings.ToUpper(name) == name && !strings.ContainsAny(name+value[:1], " \t\n/")
	})
}

// replaceValue replaces the second group of an expression where is reports a secret.
func replaceValue(re *lazyregexp.Regexp, text string, is func(name, value string) bool) string {
	var b strings.Builder
	at := 0
	for _, m := range re.Get().FindAllStringSubmatchIndex(text, -1) {
		if is(text[m[2]:m[3]], text[m[4]:m[5]]) {
			b.WriteString(text[at:m[4]] + hidden)
			at = m[5]
		}
	}
	if at == 0 {
		return text
	}
	return b.String() + text[at:]
}
