import type { FieldTexts } from '#platform/http'

export const crmRecordTexts: FieldTexts = {
  Lead: {
    first_responder: 'Name of the user in `first_responder_id`.',
    converted_contact: 'Name of the contact in `converted_contact_id`; null if it was deleted.',
    converted_account: 'Name of the account in `converted_account_id`; null if it was deleted.',
    converted_opportunity: 'Name of the deal in `converted_opportunity_id`; null if it was deleted.',
  },
  OpportunityStageChange: {
    from_key: 'Stage before the change; null for a new deal.',
    to_key: 'Stage after the change.',
    amount_base: 'Amount in the base currency at that time.',
    close_on: 'Expected close date at that time.',
    changed_by: 'User who moved the deal; null if it was the system.',
    at: 'Time of the change.',
    seconds_in_previous: 'Seconds in the stage before; null for a new deal.',
  },
  OpportunityBoard: {
    pipeline: 'Pipeline of the stages.',
    base_currency: 'Currency of the sums.',
    as_of: 'Time of the figures.',
    closed_from: 'First day of the fiscal quarter, whose closed deals are counted.',
    stages: 'Stages in order. Inactive stages without deals are left out.',
  },
  OpportunityBoardStage: {
    key: 'Key of the stage.',
    label: 'Name of the stage.',
    kind: 'Whether deals in this stage are open, won or lost.',
    probability_rate: 'Probability of winning that deals get when they enter the stage, from 0 to 1.',
    count: 'Number of deals.',
    amount: 'Sum of the amounts in the base currency.',
    weighted: 'Sum of the amounts times their probability, in the base currency.',
    items: 'Open deals by amount, highest first; those without an amount come last. Empty for won and lost deals.',
    next_cursor: 'Continues `items` in the list of deals; null if there are no more.',
  },
  ConsentEvent: {
    channel: 'What the consent is about.',
    from: 'State before.',
    to: 'State after.',
    basis: 'Legal basis.',
    source: 'How the consent was given or withdrawn.',
    evidence: 'Text that proves it; null if there is none.',
    actor_user_id: 'User who recorded it; null if it was the person or the system.',
    at: 'When the person said so.',
  },
  PersonConsent: {
    email: 'Marketing email.',
    phone: 'Calls.',
    'email.status': 'Whether marketing email may be sent.',
    'phone.status': 'Whether the person may be called.',
    'email.basis': 'Legal basis; null if there is none.',
    'phone.basis': 'Legal basis; null if there is none.',
    'email.source': 'How it was given or withdrawn.',
    'phone.source': 'How it was given or withdrawn.',
    'email.at': 'Time of the last change; null if there was none.',
    'phone.at': 'Time of the last change; null if there was none.',
    processing_restricted: 'If true, the data is kept but not used.',
  },
}

const filterOf = (records: string) => ({ filter: `Rule that the ${records} match. Default: all ${records}.` })

export const crmFileTexts: FieldTexts = {
  CreateLeadExportRequest: {
    ...filterOf('leads'),
    'query.grade': 'Only leads with one of these grades.',
    'query.unassigned': 'Only leads without an owner.',
    'query.score_min': 'Lowest score.',
    'query.score_max': 'Highest score.',
    'query.created_from': 'First day of creation, in the time zone of the workspace.',
    'query.created_to': 'Last day of creation, in the time zone of the workspace.',
  },
  CreateContactExportRequest: filterOf('contacts'),
  CreateAccountExportRequest: {
    ...filterOf('accounts'),
    'query.parent_account_id': 'Only accounts below this one.',
  },
}
