package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"studycircle/internal/receipt"
	"studycircle/internal/service"
)

func (o *operations) registerReceipts(r *router) {
	const tags = tag("Reviews")
	canonical := map[string]*huma.Response{
		"200": {
			Description: "Canonical JSON (RFC 8785), signed with the server's Ed25519 key.",
			Content:     map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{Type: huma.TypeObject}}},
		},
	}
	operation(r, signedIn, huma.Operation{
		OperationID: "mark-receipt", Method: http.MethodGet, Path: "/api/submissions/{id}/receipt",
		Summary: "Get a signed receipt of a submission's mark",
		Tags:    tags.list(), Errors: []int{401, 404}, Responses: canonical,
	}, streamed(func(ctx context.Context, w http.ResponseWriter, in *byID) error {
		found, err := o.Service.Explain(ctx, viewer(ctx).User, in.ID)
		if err != nil {
			return err
		}
		keys, err := receipt.Keys(ctx, o.Settings, o.Identity.Now())
		if err != nil {
			return err
		}
		made, err := o.receiptOf(found)
		if err != nil {
			return err
		}
		text, err := made.Sign(keys[0])
		if err != nil {
			return err
		}
		w.Header().Set("Content-Disposition", `attachment; filename="receipt.json"`)
		writeText(w, text)
		return nil
	}))
	operation(r, all, huma.Operation{
		OperationID: "receipt-keys", Method: http.MethodGet, Path: "/.well-known/studycircle-keys",
		Summary: "List the public keys of receipts, the newest first",
		Tags:    tags.list(), Responses: map[string]*huma.Response{
			"200": {
				Description: "Keys.",
				Content:     map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{Type: huma.TypeObject}}},
			},
		},
	}, streamed(func(ctx context.Context, w http.ResponseWriter, _ *struct{}) error {
		keys, err := receipt.Keys(ctx, o.Settings, o.Identity.Now())
		if err != nil {
			return err
		}
		text, err := json.Marshal(receipt.Published(keys))
		if err != nil {
			return err
		}
		writeText(w, text)
		return nil
	}))
}

func writeText(w http.ResponseWriter, text []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "private, no-cache")
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(text) // an error means that the client has gone
}

// receiptOf returns the receipt of a submission's last settlement.
func (o *operations) receiptOf(e service.Explained) (out receipt.Receipt, err error) {
	last := e.Settlements[len(e.Settlements)-1]
	out = receipt.Receipt{Mark: last.Mark, Total: e.Submission.Marks, Reviews: []receipt.Review{}}
	if last.Model != "" {
		var record service.ModelRecord
		if err := json.Unmarshal([]byte(last.Model), &record); err != nil {
			return out, err
		}
		out = receipt.Of(record.Settlement, record.Labels)
	}
	out.By, out.Day, out.N = string(last.By), day(last.At), last.N
	out.Server, out.Submission = strings.TrimSuffix(o.Identity.PublicURL.String(), "/"), e.Submission.ID
	return out, nil
}
