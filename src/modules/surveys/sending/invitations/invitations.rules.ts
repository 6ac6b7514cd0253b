import type { Scope } from '#platform/access'
import { scopeRequired } from '#platform/errors'
import type { InvitationDetails } from './invitations.queries.ts'
import type { Invitation } from './invitations.schemas.ts'

type Scopes = ReadonlySet<Scope>

/** The search finds a person by fields that are hidden without these scopes. */
export function assertMaySearchPersons(scopes: Scopes): void {
  const missing = (['leads.read', 'contacts.read'] as const).find((scope) => !scopes.has(scope))
  if (missing) throw scopeRequired(missing)
}

/** Hides the person of a lead or contact that the caller may not read. Other recipients require both scopes, as in exports. */
function hidePerson<I extends Pick<InvitationDetails, 'email' | 'name' | 'contact_id' | 'lead_id'>>(
  row: I,
  scopes: Scopes,
) {
  const contact_id = scopes.has('contacts.read') ? row.contact_id : null
  const lead_id = scopes.has('leads.read') ? row.lead_id : null
  const isShown = contact_id !== null || lead_id !== null || (scopes.has('contacts.read') && scopes.has('leads.read'))
  return { ...row, contact_id, lead_id, email: isShown ? row.email : null, name: isShown ? row.name : null }
}

export function toInvitation(
  { updated_at: _, version: __, ...details }: InvitationDetails,
  { isAnonymous, scopes }: { isAnonymous: boolean; scopes: Scopes },
): Invitation {
  const row = hidePerson(details, scopes)
  const { id, survey_id, distribution_id, email, sent_at, created_at } = row
  if (!isAnonymous) return { ...row, status: row.status as Invitation['status'] }
  return {
    id,
    survey_id,
    distribution_id,
    email,
    sent_at,
    created_at,
    name: null,
    contact_id: null,
    lead_id: null,
    account_id: null,
    language: null,
    lifecycle_stage: null,
    status: null,
    failure_reason: null,
    responded_at: null,
    expires_at: null,
    reminders_sent: null,
  }
}
