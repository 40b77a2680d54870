package cli

// terminalDevice is the console a process belongs to, whatever its standard input is.
const terminalDevice = "CONIN$"
