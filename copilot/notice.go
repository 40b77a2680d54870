package copilot

import (
	"net/url"
	"strings"
)

// NoticeID is GitHub's id of a reason why an account gets no Copilot. There may be ids that this package does not know.
type NoticeID string

// The reasons GitHub is known to give.
const (
	NoticeNoAccess           NoticeID = "no_copilot_access"
	NoticeNotSignedUp        NoticeID = "not_signed_up"
	NoticeSubscriptionEnded  NoticeID = "subscription_ended"
	NoticeManagedUser        NoticeID = "enterprise_managed_user_account"
	NoticeFeatureBlocked     NoticeID = "feature_flag_blocked"
	NoticeSpammyUser         NoticeID = "spammy_user"
	NoticeBillingLocked      NoticeID = "billing_locked"
	NoticeTradeRestricted    NoticeID = "trade_restricted"
	NoticeMatchingNotSet     NoticeID = "snippy_not_configured"
	NoticeAccessRevoked      NoticeID = "access_revoked"
	NoticeServerError        NoticeID = "server_error"
	NoticeProgrammaticTokens NoticeID = "programmatic_token_generation"
	NoticeGoHTTPClient       NoticeID = "go_http_client"
)

// NoticeError is GitHub's reason for refusing Copilot to an account, with what to do about it. It is the cause of an
// [*Error] of [KindForbidden], except for [NoticeServerError].
type NoticeError struct {
	ID NoticeID
	// Title and Message are GitHub's texts, URL its page about them, if it uses https.
	Title, Message, URL string
	// CanSignUp reports whether the account may start a free plan.
	CanSignUp bool
	// What explains the problem, Next what to do.
	What, Next string
}

// Error returns the problem and what to do.
func (e *NoticeError) Error() string {
	text := e.What + "; " + e.Next
	if e.URL != "" && !strings.Contains(text, e.URL) {
		text += " (" + e.URL + ")"
	}
	return text
}

// notices explain the ids.
var notices = map[NoticeID]struct{ what, next string }{
	NoticeNoAccess: {"this account has no Copilot",
		"take a plan at https://github.com/settings/copilot, or ask your organization for a seat"},
	NoticeNotSignedUp: {"this account has not signed up for Copilot",
		"sign up at https://github.com/settings/copilot"},
	NoticeSubscriptionEnded: {"the Copilot subscription has ended",
		"renew it at https://github.com/settings/billing"},
	NoticeManagedUser: {"this account is managed by an enterprise, which has given it no Copilot",
		"ask the administrators of the enterprise for a seat"},
	NoticeFeatureBlocked: {"Copilot is blocked for this account", "ask your organization or GitHub support"},
	NoticeSpammyUser:     {"GitHub has flagged this account", "contact GitHub support at https://support.github.com"},
	NoticeBillingLocked: {"the account is locked because of a billing problem",
		"settle it at https://github.com/settings/billing"},
	NoticeTradeRestricted: {"GitHub may not offer Copilot to this account because of trade controls",
		"see https://docs.github.com/site-policy"},
	NoticeMatchingNotSet: {"the setting about suggestions that match public code has not been made",
		"choose one at https://github.com/settings/copilot"},
	NoticeAccessRevoked: {"the access to Copilot was revoked", "ask your organization or GitHub support why"},
	NoticeServerError:   {"GitHub could not tell whether this account has Copilot", "try again later"},
	NoticeProgrammaticTokens: {"GitHub gives this account no Copilot tokens because it took them for misuse",
		"wait, and contact GitHub support if it stays so"},
	NoticeGoHTTPClient: {"GitHub does not serve a client of that name", "set another User-Agent"},
}

// readNotice returns the reason in an error body; nil for none.
func readNotice(o fields) *NoticeError {
	d := o.object("error_details")
	id := NoticeID(d.str("notification_id"))
	if id == "" {
		return nil
	}
	n := &NoticeError{ID: id, Title: plainText([]byte(d.str("title"))), Message: plainText([]byte(d.str("message"))),
		CanSignUp: o.flag("can_signup_for_limited")}
	if u, err := url.Parse(d.str("url")); err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil {
		n.URL = u.String()
	}
	known, ok := notices[id]
	n.What, n.Next = known.what, known.next
	if !ok {
		n.What = orElse(n.Message, orElse(n.Title, "GitHub refuses Copilot to this account ("+string(id)+")"))
		n.Next = "see https://github.com/settings/copilot"
	}
	if n.CanSignUp {
		n.Next += "; a free plan can be taken at https://github.com/github-copilot/signup"
	}
	return n
}
