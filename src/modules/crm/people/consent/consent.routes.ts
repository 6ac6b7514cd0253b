import type { Scope } from '#platform/access'
import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { ConsentUpdate, PersonConsent } from './consent.schemas.ts'
import { getPersonConsent, updatePersonConsent } from './consent.service.ts'
import type { PersonKind } from './consent-events.queries.ts'

export const personKinds: readonly PersonKind[] = ['lead', 'contact']

export const consentRoutes =
  (kind: PersonKind, services: Services): Routes =>
  async (app) => {
    const resource = `${kind}s` as const
    const Kind = kind === 'lead' ? 'Lead' : 'Contact'
    const url = `/api/${resource}/:${kind}_id/consent`
    const scopeFor = (action: 'read' | 'write'): Scope => `${resource}.${action}`
    const PersonParams = strict({ [`${kind}_id`]: Id })
    const refOf = (params: Record<string, string>) => ({ kind, id: params[`${kind}_id`]! })

    app.route({
      method: 'GET',
      url,
      config: { scope: scopeFor('read') },
      schema: {
        operationId: `get${Kind}Consent`,
        summary: `Get the consent of a ${kind}`,
        description: `Consent belongs to the email address and phone number, so other records with them have the same status.`,
        params: PersonParams,
        response: { 200: PersonConsent },
      },
      handler: (request) => request.inTenant((tx) => getPersonConsent(tx, refOf(request.params), services)),
    })

    app.route({
      method: 'PUT',
      url,
      config: { scope: scopeFor('write') },
      schema: {
        operationId: `update${Kind}Consent`,
        summary: `Update the consent of a ${kind}`,
        description:
          'Changes all leads and contacts with the same email address or phone number. Fields that are left out do not change. After an ' +
          'opt-out, `subscribed` and `allowed` require `basis: consent` and `evidence`; after a complaint, `subscribed` also requires ' +
          'the role admin. The status `bounced` can be reset by managers and admins. `occurred_at` is now by default.',
        params: PersonParams,
        body: ConsentUpdate,
        response: { 200: PersonConsent },
      },
      handler: (request) =>
        request.inTenant((tx) => updatePersonConsent(tx, request.actor, refOf(request.params), request.body, services)),
    })
  }
