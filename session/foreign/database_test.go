package foreign

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"

	"parley/internal/safefs"
	"parley/session"
	"parley/session/sources"
)

// opencodeSchema are the tables of opencode with the columns that are read.
const opencodeSchema = `
CREATE TABLE session(id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, model TEXT, revert TEXT, time_created INTEGER, time_updated INTEGER);
CREATE TABLE message(id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
CREATE TABLE part(id TEXT PRIMARY KEY, message_id TEXT, data TEXT);
INSERT INTO session VALUES('ses_1', NULL, '/repos/a', 'One', '{"id":"m"}', NULL, 1795933151990, 1795933175226);
`

// opencodeSaid returns the statements of messages with one part each: a role and the data of the part, in turn.
func opencodeSaid(all ...string) string {
	var b strings.Builder
	for i := 0; i < len(all); i += 2 {
		fmt.Fprintf(&b, "INSERT INTO message VALUES('m%02d', 'ses_1', %d, '{\"role\":\"%s}'); INSERT INTO part VALUES('p%02d', 'm%02d', '%s');\n", i, 1795933151990+i, all[i], i, i, all[i+1])
	}
	return b.String()
}

const opencodePath = ".local/share/opencode/opencode.db"

// TestOpencodeParts reads each kind of part, how messages ended, and stops at what was taken back.
func TestOpencodeParts(t *testing.T) {
	hi := []string{`user"`, `{"type":"text","text":"hi"}`}
	tool := func(state string) string { return `{"type":"tool","tool":"read","callID":"c","state":` + state + `}` }
	for name, c := range map[string]struct {
		said  []string
		extra string
		want  string
	}{
		"what the program adds": {[]string{`user"`, `{"type":"text","text":"hi"}`, `user"`, `{"type":"text","synthetic":true,"text":"added"}`, `assistant"`, `{"type":"step-start"}`}, "", "1 > \"hi\"\n  completed\n"},
		"a call that failed": {append(hi, `assistant"`, tool(`{"status":"error","input":{"filePath":"/a"},"error":"none"}`)), "",
			"1 > \"hi\"\n  call c Read {\"file_path\":\"/a\"}: failed \"none\"\n  completed\n"},
		"a call that runs": {append(hi, `assistant"`, tool(`{"status":"running","input":{}}`)), "", "1 > \"hi\"\n  call c Read {}: cancelled \"\"\n  completed\n"},
		"a failure":        {append(hi, `assistant","error":{"name":"APIError","data":{"message":"no quota"}}`, `{"type":"text","text":"so"}`), "", "1 > \"hi\"\n  text \"so\"\n  failed no quota\n"},
		"an end by the user": {append(hi, `assistant","error":{"name":"MessageAbortedError"}`, `{"type":"text","text":"so"}`, `user"`, `{"type":"text","text":"on"}`), "",
			"1 > \"hi\"\n  text \"so\"\n  cancelled\n2 > \"on\"\n  completed\n"},
		"a compaction": {append(hi, `user"`, `{"type":"compaction"}`), "", "1 > \"hi\"\n  note \"opencode shortened the conversation here.\"\n  completed\n"},
		"taken back":   {append(hi, `user"`, `{"type":"text","text":"no"}`), `UPDATE session SET revert='{"messageID":"m02"}'`, "1 > \"hi\"\n  completed\n"},
		"damage": {append(hi, `assistant"`, `{`, `assistant`, `{"type":"text","text":"yes"}`), `UPDATE message SET data='[' WHERE id='m04'; INSERT INTO message VALUES('x', 'ses_1', 1, '{}');`,
			"1 > \"hi\"\n  text \"yes\"\n  completed\n > \"\"\n  note \"opencode's record of this session: 2 damaged entries were left out.\"\n  \n"},
		"a long value": {append(hi, `assistant"`, `{"type":"text","text":"x"}`), `UPDATE part SET data=zeroblob(5000000) WHERE id='p02'`,
			"1 > \"hi\"\n  completed\n > \"\"\n  note \"opencode's record of this session: 1 damaged entry was left out.\"\n  \n"},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			build(t, filepath.Join(home, opencodePath), opencodeSchema+opencodeSaid(c.said...)+c.extra).Close()
			p := programs(t, home, nil)["opencode"]
			events, err := p.Replay(t.Context(), "opencode-ses_1")
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.ReplaceAll(conversation(events), "opencode-ses_1-", ""); got != c.want {
				t.Errorf("got\n%s, want\n%s", got, c.want)
			}
		})
	}
}

// TestDatabaseOfARunningProgram reads what its program has only in the log, disturbs no lock of it, changes no file of it, and leaves nothing behind. What
// is added is found.
func TestDatabaseOfARunningProgram(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, opencodePath)
	owner := build(t, path, "PRAGMA wal_autocheckpoint=0;"+opencodeSchema+opencodeSaid(`user"`, `{"type":"text","text":"hi"}`))
	defer owner.Close()
	temp := t.TempDir()
	p := All(Options{Home: home, Getenv: func(string) string { return "" }, Temp: temp})[1]
	listing := func() map[string]sources.Stamp {
		all := map[string]sources.Stamp{}
		for _, name := range []string{"", "-wal", "-shm"} {
			s, err := databaseStamp(path + name)
			if err != nil {
				t.Fatal(err)
			}
			s[1] = sources.State{}
			all[name] = s
		}
		return all
	}
	before := listing()
	end, err := owner.Prepare("BEGIN IMMEDIATE") // the owner writes
	if err == nil {
		_, err = end.Step()
	}
	if err != nil {
		t.Fatal(err)
	}
	metas, err := p.Sessions(t.Context())
	if err != nil || len(metas) != 1 || metas[0].Title != "One" || metas[0].First != "hi" || metas[0].Model != "m" || metas[0].Dir != "/repos/a" {
		t.Fatalf("%+v, %v", metas, err)
	}
	for _, sql := range []string{"INSERT INTO session(id, directory, title, time_updated) VALUES('ses_2', '/repos/b', 'Two', 1795933175300)", "INSERT INTO message VALUES('n', 'ses_2', 1, '{}')",
		"INSERT INTO part VALUES('n', 'n', '{}')"} {
		if err := execute(owner, sql); err != nil {
			t.Fatal(err)
		}
	}
	if after := listing(); after[""] != before[""] || after["-wal"] != before["-wal"] {
		t.Errorf("the files changed: %v, %v", before, after)
	}
	if err := execute(owner, "COMMIT"); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Replay(t.Context(), "opencode-ses_1"); err != nil || p.Reads() != 1 {
		t.Errorf("%v, %d reads: a session is read from the copy that there is", err, p.Reads())
	}
	if metas, err := p.Sessions(t.Context()); err != nil || len(metas) != 2 {
		t.Errorf("%+v, %v", metas, err)
	}
	if err := execute(owner, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	p.source.(opencode).db.close()
	if left, err := os.ReadDir(temp); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func execute(c *sqlite.Conn, sql string) error {
	return new(database).rows(c, sql, func(row) bool { return true })
}

// TestBadDatabases names what cannot be read, also what only looks like the tables of the program, and hides no other session.
func TestBadDatabases(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		change func(path string) error
		want   string
		found  int
	}{
		"no database":        {"", func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("no database ", 100)), 0o600) }, "opencode.db", 0},
		"an empty file":      {"", func(path string) error { return os.WriteFile(path, nil, 0o600) }, "no such table", 0},
		"a cut one":          {opencodeSchema, func(path string) error { return os.Truncate(path, 5000) }, "opencode.db", 0},
		"other tables":       {"CREATE TABLE session(id TEXT)", nil, "no such", 0},
		"an endless view":    {"CREATE TABLE message(id, session_id, time_created); CREATE TABLE part(id, message_id, data); CREATE VIEW session AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id+1 FROM n) SELECT id, NULL AS parent_id, id AS time_updated FROM n", nil, "took more than 1s", 0},
		"ids that are paths": {opencodeSchema + opencodeSaid(`user"`, `{"type":"text","text":"hi"}`) + "INSERT INTO session(id) VALUES('../../x'); INSERT INTO message VALUES('n', '../../x', 1, '{}'); INSERT INTO part VALUES('n', 'n', '{}')", nil, `"../../x" is not the id`, 1},
		"many ids":           {opencodeSchema + "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id+1 FROM n LIMIT 3000) INSERT INTO session(id) SELECT '/'||id FROM n; INSERT INTO message SELECT id, id, 1, '{}' FROM session; INSERT INTO part SELECT id, id, '{}' FROM session", nil, "and 2992 more ids", 1},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			path := filepath.Join(home, opencodePath)
			build(t, path, c.script).Close()
			if c.change != nil {
				if err := c.change(path); err != nil {
					t.Fatal(err)
				}
			}
			p := programs(t, home, nil)["opencode"]
			if name == "an endless view" {
				p.source.(opencode).db.patience = time.Second
			}
			metas, err := p.Sessions(t.Context())
			if err == nil || !strings.Contains(err.Error(), c.want) || len(metas) != c.found {
				t.Errorf("%d sessions, %v", len(metas), err)
			}
			if _, err := p.Replay(t.Context(), "opencode-none"); session.KindOf(err) != session.KindNotFound {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestJournalThatNamesAFile opens no database with a journal that makes SQLite remove another file.
func TestJournalThatNamesAFile(t *testing.T) {
	home := t.TempDir()
	path, victim := filepath.Join(home, opencodePath), filepath.Join(home, "victim")
	build(t, path, opencodeSchema+opencodeSaid(`user"`, `{"type":"text","text":"hi"}`)).Close()
	write(t, victim, "precious")
	journal := make([]byte, 512, 1024)
	copy(journal, superJournal)
	for at, n := range map[int]uint32{16: 4, 20: 512, 24: 4096} { // the pages of the database, the size of a sector and of a page
		binary.BigEndian.PutUint32(journal[at:], n)
	}
	sum := uint32(0)
	for _, c := range []byte(victim) {
		sum += uint32(c)
	}
	journal = append(binary.BigEndian.AppendUint32(journal, 1<<30/4096+1), victim...)
	journal = binary.BigEndian.AppendUint32(journal, uint32(len(victim)))
	journal = append(binary.BigEndian.AppendUint32(journal, sum), superJournal...)
	write(t, path+"-journal", string(journal))
	if _, err := programs(t, home, nil)["opencode"].Sessions(t.Context()); err == nil || !strings.Contains(err.Error(), "names another file") {
		t.Error(err)
	}
	if _, err := os.Stat(victim); err != nil {
		t.Error(err)
	}
}

// TestLongDescriptions holds only the beginnings of texts for a list: a small view may have a hundred thousand of 4 MB each.
func TestLongDescriptions(t *testing.T) {
	home := t.TempDir()
	long := `replace(hex(zeroblob(500000)), '0', 'a')`
	build(t, filepath.Join(home, "work/.crush/crush.db"), "CREATE TABLE messages(session_id, role, parts, model, created_at); CREATE VIEW sessions AS SELECT 'a' AS id, NULL AS parent_session_id, 1 AS updated_at, "+
		long+" AS title; INSERT INTO messages VALUES('a', 'user', '[{\"type\":\"text\",\"data\":{\"text\":\"'||"+long+"||'\"}}]', "+long+", 1)").Close()
	source := programs(t, home, nil)["crush"].source.(crush)
	defer source.db.close()
	places, err := source.Places(t.Context(), "")
	if err != nil || len(places) != 1 {
		t.Fatal(places, err)
	}
	metas, err := source.Describe(t.Context(), places[0])
	if err != nil || len(metas) != 1 {
		t.Fatalf("%d sessions, %v", len(metas), err)
	}
	for _, text := range []string{metas[0].Title, metas[0].Model, metas[0].First} {
		if len(text) != maxBrief {
			t.Errorf("a text of %d bytes", len(text))
		}
	}
}

// TestLargeDatabases are read themselves where that is allowed, and else named.
func TestLargeDatabases(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, opencodePath)
	build(t, path, opencodeSchema+opencodeSaid(`user"`, `{"type":"text","text":"hi"}`)).Close()
	if err := os.Truncate(path, maxCopy+1); err != nil { // SQLite passes over what is behind its pages
		t.Fatal(err)
	}
	for _, large := range []bool{true, false} {
		p := programs(t, home, nil)["opencode"]
		p.source.(opencode).db.large = large
		metas, err := p.Sessions(t.Context())
		if large != (err == nil && len(metas) == 1) {
			t.Errorf("large %v: %d sessions, %v", large, len(metas), err)
		}
		p.source.(opencode).db.close()
	}
}

// TestOldCopiesGo removes what a killed process left, and nothing else.
func TestOldCopiesGo(t *testing.T) {
	d := &database{temp: t.TempDir()}
	for _, name := range []string{"foreign-old", "foreign-new", "other"} {
		write(t, filepath.Join(d.temp, name, "copy.db"), "x")
		if name != "foreign-new" {
			if err := os.Chtimes(filepath.Join(d.temp, name), time.Time{}, time.Now().Add(-2*time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
	}
	d.sweep()
	for name, stays := range map[string]bool{"foreign-old": false, "foreign-new": true, "other": true} {
		if _, err := os.Stat(filepath.Join(d.temp, name)); stays == errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestManyRows reads the first rows of a table with too many, and says so.
func TestManyRows(t *testing.T) {
	home := t.TempDir()
	script := opencodeSchema + opencodeSaid(`user"`, `{"type":"text","text":"hi"}`, `assistant"`, `{"type":"text","text":"one"}`, `assistant"`, `{"type":"text","text":"two"}`)
	for n := range 3 {
		script += fmt.Sprintf("INSERT INTO session(id, time_updated) VALUES('old%d', 179593310000%d); INSERT INTO message VALUES('old%d', 'old%d', 1, '{}'); INSERT INTO part VALUES('old%d', 'old%d', '{}');\n", n, n, n, n, n, n)
	}
	build(t, filepath.Join(home, opencodePath), script).Close()
	p := programs(t, home, nil)["opencode"]
	p.source.(opencode).db.most = 2
	metas, err := p.Sessions(t.Context())
	if !errors.Is(err, errRows) || len(metas) != 2 || metas[0].ID != "opencode-ses_1" {
		t.Errorf("%+v, %v", metas, err)
	}
	events, err := p.Replay(t.Context(), "opencode-ses_1")
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(events)
	if !strings.Contains(got, "one") || strings.Contains(got, "two") || !strings.Contains(got, "1 damaged entry") {
		t.Errorf("%s", got)
	}
	p.source.(opencode).db.close()
}

// TestEmptySteps bounds steps without a text, which take memory too.
func TestEmptySteps(t *testing.T) {
	home := t.TempDir()
	build(t, filepath.Join(home, opencodePath), opencodeSchema).Close()
	source := programs(t, home, nil)["opencode"].source.(opencode)
	places, err := source.Places(t.Context(), "")
	if err != nil || len(places) != 1 {
		t.Fatal(places, err)
	}
	found, passed := 0, 0
	_, err = source.db.steps(t.Context(), places[0], func(step) bool { passed++; return true }, func(_ *sqlite.Conn, emit func(step) bool) error {
		for found < 4*maxCopy/stepBytes && emit(step{kind: stepAnswer}) {
			found++
		}
		return nil
	})
	if err != nil || passed != maxCopy/stepBytes+1 {
		t.Errorf("%d steps passed, %v", passed, err)
	}
	source.db.close()
}

// TestRollbackJournal counts the journal beside a database as a part of its state.
func TestRollbackJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	write(t, path, "x")
	before, err := databaseStamp(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path+"-journal", "journal")
	if now, err := databaseStamp(path); err != nil || now == before || now[2].Size != 7 {
		t.Errorf("%+v, %v", now, err)
	}
	d := &database{temp: t.TempDir()}
	if err := os.Truncate(path+"-journal", maxCopy); err != nil {
		t.Fatal(err)
	}
	err = d.use(t.Context(), sources.Place{Path: path}, false, func(*sqlite.Conn) error { return nil })
	if !errors.Is(err, safefs.ErrTooLarge) {
		t.Errorf("%v", err)
	}
}
