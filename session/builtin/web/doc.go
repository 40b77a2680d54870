// Package web is the builtin agent's tools that look at the web.
//
// In come the inputs of calls; out go jobs ([tool.Job]), which the policy judges by the domain of the page. A page is read by one
// GET without credentials or cookies; a redirect to another host is returned instead of followed. The address of every
// connection is checked when it is dialed, so that no name leads to this machine, its network, or a cloud's metadata
// ([public]). Sizes, times and the number of redirects are bounded, after decompression. Out of HTML comes markdown.
//
// With a proxy in the environment, connections go to that proxy, which the user chose; the host of the page is checked by its
// name and, if this machine can resolve it, by its addresses.
//
// It may import session, session/toolview, session/builtin/tool and rooms below internal.
package web
