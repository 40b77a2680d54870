package cloud

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// object is a node of the graph. The value of a field is an object, a list, or a function of the field's arguments.
type object = map[string]any

// resolver computes a field from its arguments.
type resolver func(args object) any

// graphQL answers a query. Like GitHub it returns exactly the fields that were asked for, and refuses unknown ones.
func (s *Service) graphQL(body []byte) Answer {
	var in struct {
		Query     string
		Variables object
	}
	if json.Unmarshal(body, &in) != nil {
		return encode(http.StatusBadRequest, object{"message": "Problems parsing JSON"})
	}
	p := &queryParser{tokens: tokens(in.Query), variables: in.Variables}
	set, err := p.operation()
	var data any
	if err == nil {
		data, err = choose(s.root(), set)
	}
	if err != nil {
		return encode(http.StatusOK, object{"errors": []any{object{"message": err.Error()}}})
	}
	return encode(http.StatusOK, object{"data": data})
}

// root is the object that queries begin from.
func (s *Service) root() object {
	return object{
		"__typename": "Query",
		"viewer":     s.user(),
		"nodes": resolver(func(args object) any {
			out := []any{}
			ids, _ := args["ids"].([]any)
			for _, id := range ids {
				out = append(out, s.nodeOf(fmt.Sprint(id)))
			}
			return out
		}),
		"repository": resolver(func(args object) any {
			r := s.repository(fmt.Sprint(args["owner"]), fmt.Sprint(args["name"]))
			out := s.repoObject(r)
			out["pullRequest"] = resolver(func(args object) any {
				if p := s.pullNumber(r, fmt.Sprint(args["number"])); p != nil {
					return s.pullObject(p)
				}
				return nil
			})
			return out
		}),
	}
}

// nodeOf returns the object with an id, nil for an unknown one.
func (s *Service) nodeOf(id string) any {
	if id == userNode || id == "U_"+nodeID(viewerID) {
		return s.user()
	}
	for _, p := range s.pulls {
		if p.node() == id {
			return s.pullObject(p)
		}
	}
	return nil
}

func (s *Service) user() object {
	return object{"__typename": "User", "id": userNode, "databaseId": viewerID, "login": s.o.Login, "name": s.o.Login}
}

func (s *Service) repoObject(r *repo) object {
	_, name, _ := strings.Cut(r.name, "/")
	return object{"__typename": "Repository", "id": "R_" + nodeID(r.id), "name": name, "nameWithOwner": r.name,
		"defaultBranchRef": object{"__typename": "Ref", "name": r.branch}}
}

func (s *Service) pullObject(p *pull) object {
	now := s.now()
	var closed any
	rollup := any(object{"__typename": "StatusCheckRollup", "contexts": resolver(func(object) any {
		return object{"__typename": "StatusCheckRollupContextConnection", "checkRunCount": checkCount, "statusContextCount": 0,
			"checkRunCountsByState": p.counts(now), "statusContextCountsByState": []any{}}
	})})
	if p.checksFrom.IsZero() {
		rollup = nil
	}
	return object{"__typename": "PullRequest", "id": p.node(), "fullDatabaseId": strconv.FormatInt(p.id, 10), "number": p.number,
		"title": p.title, "state": strings.ToUpper(p.state), "url": p.url(s.o.Web), "body": p.body, "isDraft": p.draft,
		"createdAt": p.created.Format(time.RFC3339), "updatedAt": p.updated.Format(time.RFC3339), "closedAt": closed, "mergedAt": closed,
		"headRefName": p.head, "baseRefName": p.base, "repository": s.repoObject(p.repo),
		"commits": resolver(func(object) any {
			return object{"__typename": "PullRequestCommitConnection", "nodes": []any{
				object{"__typename": "PullRequestCommit", "commit": object{"__typename": "Commit", "statusCheckRollup": rollup}}}}
		})}
}

// choose returns the selected fields of a value.
func choose(v any, set []selection) (any, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case []any:
		out := make([]any, len(v))
		for i := range v {
			var err error
			if out[i], err = choose(v[i], set); err != nil {
				return nil, err
			}
		}
		return out, nil
	case object:
		if set == nil {
			return nil, refusal(fmt.Sprintf("Field of type %v must have a selection of subfields", v["__typename"]))
		}
		out := object{}
		return out, chooseInto(out, v, set)
	}
	if set != nil {
		return nil, refusal("Selections can't be made on scalars")
	}
	return v, nil
}

// chooseInto adds the selected fields of an object to out.
func chooseInto(out, o object, set []selection) error {
	for _, f := range set {
		if f.name == "" {
			if f.on == "" || f.on == o["__typename"] {
				if err := chooseInto(out, o, f.set); err != nil {
					return err
				}
			}
			continue
		}
		v, known := o[f.name]
		if !known {
			return refusal(fmt.Sprintf("Field '%s' doesn't exist on type '%v'", f.name, o["__typename"]))
		}
		if r, ok := v.(resolver); ok {
			v = r(f.args)
		}
		chosen, err := choose(v, f.set)
		if err != nil {
			return err
		}
		out[f.alias] = chosen
	}
	return nil
}
