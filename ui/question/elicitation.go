package question

import (
	"net/url"
	"strings"

	"parley/session"
	"parley/ui/style"
)

// elicitation fills in the form that an MCP server asks for, or the page that it wants opened.
func (q *Question) elicitation(e *session.ElicitationAsk, o Options) {
	server := style.Visible(style.OneLine(e.Server))
	if server == "" {
		server = "An MCP server"
	}
	if e.URL == "" {
		q.Title, q.Detail = server+" asks", style.Visible(e.Message)
		q.Form = elicitationForm(e)
		return
	}
	q.Title, q.Detail = server+" wants this page opened in your browser", style.Visible(e.Message)
	q.Body, q.About = strings.Split(style.Spell(e.URL), "\n"), pageHost(e.URL)
	yes := session.Answer{Decision: session.Allow}
	if o.Opens && isWebPage(e.URL) {
		q.Choices = []Choice{{Key: "o", Label: "Open it", Short: "Open", Answer: yes, Do: OpenPage}}
	}
	q.Choices = append([]Choice{{Key: "n", Label: "No", Short: "No", Answer: Declined()}}, append(q.Choices,
		Choice{Key: "y", Label: "Yes, I open it myself", Short: "Yes", Answer: yes})...)
	q.Decline = &Choice{Label: "Close it", Answer: Closed()}
}

// pageHost describes where a URL leads, and what may mislead about it; "" if it names no host.
func pageHost(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	words := "It leads to " + style.Spell(u.Host) + "."
	if strings.HasPrefix(u.Hostname(), "xn--") || strings.Contains(u.Hostname(), ".xn--") || strings.ContainsFunc(u.Hostname(), func(r rune) bool { return r > 0x7e }) {
		words += " Careful: its name has letters of another script."
	}
	if u.User != nil {
		words += " Careful: what stands before @ is not its name."
	}
	if u.Scheme == "http" && u.Hostname() != "localhost" && u.Hostname() != "127.0.0.1" {
		words += " It is not encrypted."
	}
	return words
}

// isWebPage reports whether a URL may be handed to a browser: an http or https page with a host, nothing else.
func isWebPage(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}
