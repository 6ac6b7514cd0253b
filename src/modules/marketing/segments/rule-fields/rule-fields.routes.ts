import { getRuleCatalogue, RuleCatalogue } from '#modules/crm'
import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { strict } from '#platform/schema'
import { ObjectType } from '../segments/segments.schemas.ts'

export const ruleFieldRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/segments/rule-fields/:object_type',
      config: { scope: 'segments.read' },
      schema: {
        operationId: 'getRuleCatalogue',
        summary: 'Get fields and facts of rules',
        description:
          'Everything that rules for records of this type accept in this workspace, for building a rule in a form.',
        params: strict({ object_type: ObjectType }),
        response: { 200: RuleCatalogue },
      },
      handler: (request) => request.inTenant((tx) => getRuleCatalogue(tx, request.params.object_type, services)),
    })
  }
