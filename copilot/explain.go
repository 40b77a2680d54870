package copilot

import (
	"errors"
	"net/http"
	"strings"

	"parley/copilot/login"
)

// saysWhy reports whether an error holds GitHub's own reason, which helps more than any refusal.
func saysWhy(e *Error) bool {
	_, ok := errors.AsType[*NoticeError](e.Err)
	return ok
}

// explanation says what a refusal means that the service words in a way of its own. Where next is not all that can be
// done, what another token would take follows.
type explanation struct {
	text         string // part of the message, in lower case
	reason, next string
}

// explanations are about the token. The words are those of the service in late 2026.
var explanations = []explanation{
	{"does not have copilot requests permission", "it lacks the permission \"Copilot Requests\"",
		"add that account permission at https://github.com/settings/personal-access-tokens"},
	{"resource not accessible by personal access token", "it may not ask about Copilot",
		"give it the account permission \"Copilot Requests\" at https://github.com/settings/personal-access-tokens " +
			"(it must be owned by your own account, not by an organisation)"},
	{"resource not accessible by integration", "the app it was made for may not ask about Copilot", ""},
	{textBadlyFormatted, "the service can read it neither as Bearer nor as token", "check that it belongs to this host"},
}

// orAnother adds another to what can be done besides.
func (a *account) orAnother(next string) string {
	if next != "" {
		next += ", or "
	}
	return next + login.HowToReplace(a.cred.Source, a.host.name)
}

// statusTooOld is what the service answers to clients that are too old for it.
const statusTooOld = 466

// explain adds what a refusal means and what to do about it as the cause of an error, where it is about the token or
// about who this program says it is. It returns the error.
func (a *account) explain(e *Error) *Error {
	if e.Err != nil || e.Status < 400 || e.Status > 499 || e.Kind == KindRateLimit || e.Kind == KindQuota {
		return e
	}
	message := strings.ToLower(e.Message)
	token := func(reason, next string) *Error {
		e.because(&login.TokenError{
			Source: orElse(a.cred.Source, "the credential"), Kind: a.cred.Kind(), Reason: reason, Next: next,
		})
		return e
	}
	if strings.Contains(message, "personal access tokens are not supported") {
		return token(a.patReason())
	}
	for _, x := range explanations {
		if strings.Contains(message, x.text) {
			return token(x.reason, a.orAnother(x.next))
		}
	}
	switch {
	case strings.Contains(message, "copilot-integration-id"):
		e.because(errors.New("the service does not take this integration id; leave api.integration_id unset"))
	case e.Status == http.StatusUnauthorized:
		return token(a.refusedReason())
	case e.Status == http.StatusMisdirectedRequest:
		e.because(errors.New("the account is served by another host than GitHub names; if it belongs to an enterprise, " +
			"set github_host to the enterprise's host"))
	case e.Status == statusTooOld:
		e.because(errors.New("the service no longer serves this version of its API; update parley, or set " +
			"api.version to a newer date"))
	case e.Op == opDiscover && e.Status == http.StatusNotFound:
		e.because(errors.New("GitHub tells this token nothing of Copilot; check at https://github.com/settings/copilot " +
			"that the account has a plan, and that the token may use it"))
	}
	return e
}

// patReason is about a personal access token that the service takes from some programs only.
func (a *account) patReason() (reason, next string) {
	if id := a.client.integrationID; id != defaultIntegrationID {
		return "the service takes fine-grained tokens only from programs with the integration id " + defaultIntegrationID,
			a.orAnother("leave api.integration_id unset")
	}
	return "it is a personal access token the service does not take",
		a.orAnother("make a fine-grained one that your own account owns and that has the permission \"Copilot Requests\"")
}

// refusedReason is about a token refused without further words. That it was, the service says itself.
func (a *account) refusedReason() (reason, next string) {
	switch a.cred.Kind() {
	case login.TokenServer:
		return "a workflow's token works only with a permission of its own",
			"give the workflow \"permissions: copilot-requests: write\" and put its token into COPILOT_GITHUB_TOKEN"
	case login.TokenFineGrained:
		return "it has expired, is not owned by your own account or lacks the permission \"Copilot Requests\"",
			a.orAnother("check that at https://github.com/settings/personal-access-tokens")
	}
	return "it has expired, was revoked or belongs to another host than " + a.host.name, a.orAnother("")
}
