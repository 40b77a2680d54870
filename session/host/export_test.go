package host

// What tests connect with, and play hosts.
var (
	Listen  = listen
	Connect = connect
)
