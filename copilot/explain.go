package copilot

import (
	"errors"
	"net/http"
	"strings"

	"parley/copilot/login"
)

// saysWhy reports whether an error contains GitHub's own reason, which is more helpful than any other.
func saysWhy(e *Error) bool {
	_, ok := errors.AsType[*NoticeError](e.Err)
	return ok
}

// explanation explains a refusal that the service words in a special way. If next is incomplete, the advice on another
// token follows it.
type explanation struct {
	text         string // part of the message, in lower case
	reason, next string
}

// explanations are about the token. The texts are those of the service in late 2026.
var explanations = []explanation{
	{"does not have copilot requests permission", "it lacks the permission \"Copilot Requests\"",
		"add that account permission at https://github.com/settings/personal-access-tokens"},
	{"resource not accessible by personal access token", "it may not ask about Copilot",
		"give it the account permission \"Copilot Requests\" at https://github.com/settings/personal-access-tokens " +
			"(it must be owned by your own account, not by an organization)"},
	{"resource not accessible by integration", "the app it was made for may not ask about Copilot", ""},
	{textBadlyFormatted, "the service can read it neither as Bearer nor as token", "check that it belongs to this host"},
}

// orAnother adds the advice to use another token.
func (a *account) orAnother(next string) string {
	if next != "" {
		next += ", or "
	}
	return next + login.HowToReplace(a.cred.Source, a.host.name)
}

// statusTooOld is the service's status for outdated clients.
const statusTooOld = 466

// explain adds the meaning of a refusal and what to do as the cause of an error about the token or the identity of this
// program. It returns the error.
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

// patReason explains the refusal of a personal access token that the service accepts from some programs only.
func (a *account) patReason() (reason, next string) {
	if id := a.client.integrationID; id != defaultIntegrationID {
		return "the service takes fine-grained tokens only from programs with the integration id " + defaultIntegrationID,
			a.orAnother("leave api.integration_id unset")
	}
	return "it is a personal access token the service does not take",
		a.orAnother("make a fine-grained one that your own account owns and that has the permission \"Copilot Requests\"")
}

// refusedReason explains the refusal of a token without a reason. The service itself reports the refusal.
func (a *account) refusedReason() (reason, next string) {
	switch a.cred.Kind() {
	case login.TokenServer:
		return "a workflow's token needs a separate permission",
			"give the workflow \"permissions: copilot-requests: write\" and put its token into COPILOT_GITHUB_TOKEN"
	case login.TokenFineGrained:
		return "it has expired, is not owned by your own account or lacks the permission \"Copilot Requests\"",
			a.orAnother("check that at https://github.com/settings/personal-access-tokens")
	}
	return "it has expired, was revoked or belongs to another host than " + a.host.name, a.orAnother("")
}
