package cli

import (
	"bytes"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manCommand is `parley man`.
func manCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page, in roff", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return writeManPage(a.out, cmd.Root())
		},
	}
}

// writeManPage writes the manual page in roff. The page carries no date: cobra would print the current month, and the
// page must be the same on every day for the same version.
func writeManPage(w io.Writer, root *cobra.Command) error {
	root.DisableAutoGenTag = true // its HISTORY section is a date too
	var undated time.Time
	var page bytes.Buffer
	header := doc.GenManHeader{Title: "PARLEY", Section: "1", Source: "parley", Manual: "parley manual", Date: &undated}
	if err := doc.GenMan(root, &header, &page); err != nil {
		return err
	}
	month := []byte(undated.Format(`"Jan 2006"`))
	_, err := w.Write(bytes.Replace(page.Bytes(), month, []byte(`""`), 1))
	return err
}
