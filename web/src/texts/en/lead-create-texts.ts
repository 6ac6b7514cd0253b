import { translate } from '../language.ts'

export const createTexts = translate('createTexts', {
  title: 'New lead',
  create: 'Create lead',
  cancel: 'Cancel',
  created: (name: string) => `${name} was created.`,
  email: 'Email',
  firstName: 'First name',
  lastName: 'Last name',
  company: 'Company',
  jobTitle: 'Title',
  phone: 'Phone',
  source: 'Source',
  noSource: 'Not specified',
  owner: 'Owner',
  me: 'Me',
  automatic: 'By the rules of the workspace',
  noOwner: 'No owner',
  similar: (count: number) =>
    count === 1 ? 'A lead with this email address exists:' : `${count} leads with this email address exist:`,
  open: 'Open',
  openLead: (name: string) => `Open ${name}`,
  exists: 'A lead with this email address already exists.',
  openExisting: 'Open the existing lead',
})
