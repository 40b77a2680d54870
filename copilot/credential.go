package copilot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// Credential is a GitHub token and where it came from.
type Credential struct {
	Token Secret
	// Source is the name of the environment variable, "oauth_token" for gh's configuration, "gh" for gh's keyring,
	// "parley's own file" for a sign-in of this program's.
	Source string
	// Host is the GitHub host it belongs to, such as "github.com".
	Host string
}

// TokenKind is the sort of a GitHub token, as its prefix tells.
type TokenKind string

// The kinds of GitHub tokens.
const (
	TokenOAuth       TokenKind = "oauth"        // gho_, from a login such as that of gh
	TokenUserToApp   TokenKind = "app_user"     // ghu_, of a GitHub App on behalf of a user
	TokenFineGrained TokenKind = "fine_grained" // github_pat_, works with the permission "Copilot Requests"
	TokenClassic     TokenKind = "classic"      // ghp_, never works with Copilot
	TokenServer      TokenKind = "server"       // ghs_, of a GitHub App or of Actions
	TokenRefresh     TokenKind = "refresh"      // ghr_, no access token at all
	TokenUnknown     TokenKind = "unknown"
)

// Kind tells the sort of the token.
func (c Credential) Kind() TokenKind { return kindOfToken(c.Token.Reveal()) }

// kindOfToken sorts a token by its prefix.
func kindOfToken(token string) TokenKind {
	for _, p := range []struct {
		prefix string
		kind   TokenKind
	}{
		{"gho_", TokenOAuth}, {"ghu_", TokenUserToApp}, {"github_pat_", TokenFineGrained},
		{"ghp_", TokenClassic}, {"ghs_", TokenServer}, {"ghr_", TokenRefresh},
	} {
		if strings.HasPrefix(token, p.prefix) {
			return p.kind
		}
	}
	return TokenUnknown
}

// ErrNoToken says that there is no token.
var ErrNoToken = errors.New("no GitHub token")

// NotSignedInError says that no token was found, and where it was looked for. It wraps [ErrNoToken].
type NotSignedInError struct {
	// Host is the GitHub host a token was looked for.
	Host string
	// Looked lists the places, in the order they were tried, each with what was wrong where that is known.
	Looked []string
}

// Error lists the places and says what to do.
func (e *NotSignedInError) Error() string {
	return fmt.Sprintf("not signed in to %s: no token in %s; run \"gh auth login\" or set COPILOT_GITHUB_TOKEN",
		e.Host, strings.Join(e.Looked, ", "))
}

// Unwrap returns [ErrNoToken].
func (e *NotSignedInError) Unwrap() error { return ErrNoToken }

// TokenError says that a token was found which cannot work. It never holds the token.
type TokenError struct {
	// Source is where the token is from, as in [Credential].
	Source string
	Kind   TokenKind
	// Reason says why it cannot work, Next what to do.
	Reason, Next string
}

// Error says where the token is from, why it cannot work and what to do.
func (e *TokenError) Error() string {
	return fmt.Sprintf("the token in %s cannot be used: %s; %s", e.Source, e.Reason, e.Next)
}

// checkToken recognises what the service is known to refuse, and what cannot be sent in a header.
func checkToken(source, token string) error {
	e := &TokenError{Source: source, Kind: kindOfToken(token)}
	if source == "" {
		e.Source = "the credential"
	}
	switch {
	case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		e.Reason, e.Next = "it contains blanks or characters no token has", "check how it was copied"
	case e.Kind == TokenClassic:
		e.Reason = "it is a classic personal access token (ghp_), which Copilot does not accept"
		e.Next = "unset it and run \"gh auth login\", or put a fine-grained token with the permission " +
			"\"Copilot Requests\" into COPILOT_GITHUB_TOKEN"
	case e.Kind == TokenRefresh:
		e.Reason = "it is a refresh token (ghr_), which only its own app can use"
		e.Next = another(source, "")
	default:
		return nil
	}
	return e
}

// keyringBudget bounds the wait for the gh command, which may sit on a locked keyring.
const keyringBudget = 5 * time.Second

// FindOptions says where [FindCredential] looks. The zero value looks in the real places.
type FindOptions struct {
	// Host is the GitHub host; "" means the one gh is set to: GH_HOST, else its only configured host unless that is a
	// GitHub Enterprise Server, else github.com.
	Host string
	// Getenv reads COPILOT_GITHUB_TOKEN; nil: os.Getenv.
	Getenv func(string) string
	// GH is gh's own search; nil: the environment, gh's configuration files and the gh command.
	GH GH
	// TokenFile is looked at last; "" is not.
	TokenFile TokenFile
	// KeyringBudget bounds the wait for the gh command; 0 means five seconds.
	KeyringBudget time.Duration
}

// FindCredential looks for a GitHub token: COPILOT_GITHUB_TOKEN first, then in the order of gh (go-gh 2.16): for
// github.com and *.ghe.com GH_TOKEN and GITHUB_TOKEN, for other hosts GH_ENTERPRISE_TOKEN and
// GITHUB_ENTERPRISE_TOKEN; then gh's configuration; then gh's keyring, through "gh auth token"; then the file of this
// program's own sign-ins.
//
// The first place that has a token decides. If that token is of a kind that cannot work, the error is a [*TokenError];
// if no place has one, a [*NotSignedInError]; if the context ends first, its cause. Only the keyring can take time.
func FindCredential(ctx context.Context, o FindOptions) (Credential, error) {
	getenv, gh := o.Getenv, o.GH
	if getenv == nil {
		getenv = os.Getenv
	}
	if gh == nil {
		gh = systemGH{}
	}
	name := o.Host
	if name == "" {
		name = gh.DefaultHost()
	}
	host, err := normalizeHost(name)
	if err != nil {
		return Credential{}, err
	}
	found := func(token, source string) (Credential, error) {
		token = strings.TrimSpace(token)
		if err := checkToken(source, token); err != nil {
			return Credential{}, err
		}
		return Credential{Token: NewSecret(token), Source: source, Host: host}, nil
	}
	if token := getenv(envCopilotToken); strings.TrimSpace(token) != "" {
		return found(token, envCopilotToken)
	}
	if token, source := gh.EnvOrConfig(host); strings.TrimSpace(token) != "" {
		return found(token, source)
	}
	bounded, cancel := context.WithTimeout(ctx, orElse(o.KeyringBudget, keyringBudget))
	defer cancel()
	token, err := gh.Keyring(bounded, host)
	if strings.TrimSpace(token) != "" {
		return found(token, sourceKeyring)
	}
	if ctx.Err() != nil {
		return Credential{}, fmt.Errorf("look for a GitHub token: %w", context.Cause(ctx))
	}
	own, failed := o.TokenFile.Load(host)
	if !own.IsZero() {
		return found(own.Reveal(), sourceOwnFile)
	}
	places := looked(host, err)
	if o.TokenFile != "" {
		place := sourceOwnFile
		if failed != nil {
			place += fmt.Sprintf(" (%s)", failed)
		}
		places = append(places, place)
	}
	return Credential{}, &NotSignedInError{Host: host, Looked: places}
}

// looked lists the places tried for a host; keyring is what went wrong with the last.
func looked(host string, keyring error) []string {
	places := append([]string{envCopilotToken}, tokenVariables(host)...)
	places = append(places, "gh's configuration")
	if keyring != nil {
		return append(places, fmt.Sprintf("gh's keyring (%s)", keyring))
	}
	return append(places, "gh's keyring")
}
