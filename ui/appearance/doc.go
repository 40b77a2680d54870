// Package appearance is how the screen suits its terminal and its user.
//
// In come the user's settings and the environment. Out go what is known of the terminal before it answers, the characters that
// may be drawn, and the theme at the start. The package draws nothing and reads nothing but its arguments.
package appearance
