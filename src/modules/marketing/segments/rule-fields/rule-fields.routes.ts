import { getRuleCatalogue, RuleCatalogue } from '#modules/crm'
import type { Routes } from '#platform/http'
import type { RouteLimit } from '#platform/limits'
import type { Services } from '#platform/module'
import { strict } from '#platform/schema'
import { ObjectType } from '../segments/segments.schemas.ts'
import { RuleValueQuery, RuleValues } from './rule-values.schemas.ts'
import { listRuleValues } from './rule-values.service.ts'

const valueLimit: RouteLimit = { name: 'rule_values', limit: 60, windowSeconds: 60, per: 'user' }

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

    app.route({
      method: 'GET',
      url: '/api/segments/rule-values',
      config: { scope: 'segments.read', limits: [valueLimit] },
      schema: {
        operationId: 'listRuleValues',
        summary: 'List values of a rule field',
        description:
          'At most 20 values of at most 200 characters that the newest 5,000 records have. Also requires the read scope of the object ' +
          'type, such as `leads.read`, and `accounts.read` for fields of the account. At most 60 requests per user and minute.',
        querystring: RuleValueQuery,
        response: { 200: RuleValues },
      },
      handler: (request) => request.inTenant((tx) => listRuleValues(tx, request.actor, request.query)),
    })
  }
