import type { FieldTexts } from '#platform/http'

export const homeTexts: FieldTexts = {
  Home: {
    as_of: 'Time of the figures.',
    tasks: 'Open tasks of the user; null without the read scopes of leads, contacts, accounts and deals.',
    leads: 'Leads of the user; null without the scope `leads.read`.',
    deals: 'Deals of the user; null without the scope `opportunities.read`.',
    'deals.open_amount': 'Sum of the open deals in the base currency.',
    'deals.closing_amount':
      'Sum of the open deals with `close_on` in the next 30 days or before today, in the base currency.',
    'deals.forecast': 'Deals of the user with `close_on` in the current fiscal quarter, in the base currency.',
    'deals.forecast.closed': 'Won deals.',
    'deals.forecast.commit': 'Open deals of the forecast category `commit`.',
    'deals.forecast.best_case': 'Open deals of the forecast category `best_case`.',
    'deals.forecast.quota': 'Quarterly quota of the user; null without one.',
    audience: 'Campaigns and cadences of the user; null without the scopes `campaigns.read` and `cadences.read`.',
    rooms: 'Visits to rooms of the user; null without the scope `rooms.read`.',
    'rooms.items.room': 'The visited room.',
    'rooms.items.room.band': 'Engagement of the buyers in the room.',
    'rooms.items.visitor': 'Person who read, as far as it is known.',
    'rooms.items.visitor.identity': 'Whether the visitor gave an email address and confirmed it.',
  },
  HomeDeal: {
    account: 'The account of the deal; null if it was deleted.',
    stage_label: 'Stage of the pipeline, as users see it.',
    close_on: 'Expected close date.',
    is_overdue: 'Whether `close_on` is before today in the time zone of the workspace.',
    next_step: 'Next step with the buyer; null if there is none.',
  },
}
