package cloud

import "parley/copilot/login"

// Missing returns why a login cannot use the cloud agent, "" if it can or if nobody has signed in. As gh 2.83 does, it wants
// github.com or a tenant of ghe.com, and the token of a person's sign-in.
func Missing(c login.Credential) string {
	if c.Host != "github.com" && !login.IsTenancy(c.Host) {
		return c.Host + " has no cloud agent; GitHub offers it on github.com and ghe.com"
	}
	if c.Token.IsZero() {
		return ""
	}
	switch c.Kind() {
	case login.TokenOAuth, login.TokenUserToApp:
		return ""
	default:
		return "GitHub offers it to people who have signed in, not to the token from " + c.Source + "; run `gh auth login`"
	}
}
