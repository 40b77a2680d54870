package login

import (
	"cmp"
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
	// "parley's own file" for a sign-in of parley.
	Source string
	// Host is the GitHub host it belongs to, such as "github.com".
	Host string
}

// TokenKind is the kind of a GitHub token, by its prefix.
type TokenKind string

// The kinds of GitHub tokens.
const (
	TokenOAuth       TokenKind = "oauth"        // gho_, from a login such as that of gh
	TokenUserToApp   TokenKind = "app_user"     // ghu_, of a GitHub App on behalf of a user
	TokenFineGrained TokenKind = "fine_grained" // github_pat_, works with the permission "Copilot Requests"
	TokenClassic     TokenKind = "classic"      // ghp_, never works with Copilot
	TokenServer      TokenKind = "server"       // ghs_, of a GitHub App or of Actions
	TokenRefresh     TokenKind = "refresh"      // ghr_, not an access token
	TokenUnknown     TokenKind = "unknown"
)

// Kind returns the kind of the token.
func (c Credential) Kind() TokenKind { return kindOfToken(c.Token.Reveal()) }

// kindOfToken returns the kind of a token.
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

// ErrNoToken is the cause of an error when no token was found.
var ErrNoToken = errors.New("no GitHub token")

// NotSignedInError reports that no token was found. It wraps [ErrNoToken].
type NotSignedInError struct {
	// Host is the GitHub host of the search.
	Host string
	// Looked lists the places in the order of the search, each with its error if there was one.
	Looked []string
}

// Error lists the places and the next step.
func (e *NotSignedInError) Error() string {
	return fmt.Sprintf("not signed in to %s: no token in %s; run \"gh auth login\" or set COPILOT_GITHUB_TOKEN",
		e.Host, strings.Join(e.Looked, ", "))
}

// Unwrap returns [ErrNoToken].
func (e *NotSignedInError) Unwrap() error { return ErrNoToken }

// TokenError reports an unusable token. It never contains the token.
type TokenError struct {
	// Source is the origin of the token, as in [Credential].
	Source string
	Kind   TokenKind
	// Reason explains why it cannot work, Next what to do.
	Reason, Next string
}

// Error names the source, the reason and the next step.
func (e *TokenError) Error() string {
	return fmt.Sprintf("the token in %s cannot be used: %s; %s", e.Source, e.Reason, e.Next)
}

// Check returns a [*TokenError] for a token that the service is known to refuse or that cannot be sent in a header.
func Check(source, token string) error {
	e := &TokenError{Source: source, Kind: kindOfToken(token)}
	if source == "" {
		e.Source = "the credential"
	}
	switch {
	case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		e.Reason, e.Next = "it contains spaces or other characters that no token has", "copy it again"
	case e.Kind == TokenClassic:
		e.Reason = "it is a classic personal access token (ghp_), which Copilot does not accept"
		e.Next = "unset it and run `gh auth login`, or set COPILOT_GITHUB_TOKEN to a fine-grained token with the permission " +
			"\"Copilot Requests\""
	case e.Kind == TokenRefresh:
		e.Reason = "it is a refresh token (ghr_), which only its own app can use"
		e.Next = HowToReplace(source, "")
	default:
		return nil
	}
	return e
}

// HowToReplace returns how to replace a token, by its source: a new login has no effect while an environment variable
// comes first.
func HowToReplace(source, host string) string {
	if source == sourceKeyring || source == sourceGHConfig {
		if host != "" {
			host = " --hostname " + host
		}
		return "run `gh auth login" + host + "`"
	}
	if source == sourceOwnFile {
		return "run `parley auth login`"
	}
	if source == strings.ToUpper(source) && source != "" {
		return "set another token in " + source + ", or unset it and run `gh auth login`, then start parley again"
	}
	return "sign in again"
}

// HowToRemove returns how to remove a token from where it comes from, for the words "to sign out".
func HowToRemove(source, host string) string {
	switch {
	case source == sourceKeyring || source == sourceGHConfig:
		return "run `gh auth logout --hostname " + host + "`"
	case source == sourceOwnFile:
		return "run `parley auth logout`"
	}
	return "unset the variable " + source + " and start parley again"
}

// keyringBudget bounds the wait for the gh command, which may sit on a locked keyring.
const keyringBudget = 5 * time.Second

// FindOptions configures [Find]. The zero value searches the real places.
type FindOptions struct {
	// Host is the GitHub host; "" means the default of gh: GH_HOST, else its only configured host unless that is a
	// GitHub Enterprise Server, else github.com.
	Host string
	// Getenv reads COPILOT_GITHUB_TOKEN; nil: os.Getenv.
	Getenv func(string) string
	// GH replaces gh's search; nil: the environment, gh's configuration files and the gh command.
	GH GH
	// TokenFile is read last; "" for none.
	TokenFile TokenFile
	// KeyringBudget bounds the wait for the gh command; 0 means five seconds.
	KeyringBudget time.Duration
}

// Find searches, in order, COPILOT_GITHUB_TOKEN, the variables of gh for the host (see the package comment), gh's
// configuration, gh's keyring and TokenFile. The first token decides: of an unusable kind it is a [*TokenError].
// Without any token the error is a [*NotSignedInError], or the cause of the context. Only the keyring takes time.
func Find(ctx context.Context, o FindOptions) (Credential, error) {
	getenv, gh := o.Getenv, o.GH
	if getenv == nil {
		getenv = os.Getenv
	}
	if gh == nil {
		gh = systemGH{}
	}
	name := o.Host
	if name == "" {
		name = gh.usualHost()
	}
	host, err := NormalizeHost(name)
	if err != nil {
		return Credential{}, err
	}
	found := func(token, source string) (Credential, error) {
		token = strings.TrimSpace(token)
		if err := Check(source, token); err != nil {
			return Credential{}, err
		}
		return Credential{Token: NewSecret(token), Source: source, Host: host}, nil
	}
	if token := getenv(envCopilotToken); strings.TrimSpace(token) != "" {
		return found(token, envCopilotToken)
	}
	if token, source := gh.envOrConfig(host); strings.TrimSpace(token) != "" {
		return found(token, source)
	}
	bounded, cancel := context.WithTimeout(ctx, cmp.Or(o.KeyringBudget, keyringBudget))
	defer cancel()
	token, err := gh.readKeyring(bounded, host)
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

// looked lists the searched places for a host; keyring is the error of the last.
func looked(host string, keyring error) []string {
	places := append([]string{envCopilotToken}, tokenVariables(host)...)
	places = append(places, "gh's configuration")
	if keyring != nil {
		return append(places, fmt.Sprintf("gh's keyring (%s)", keyring))
	}
	return append(places, "gh's keyring")
}
