import { translate } from '../language.ts'

export const contactCreateTexts = translate('contactCreateTexts', {
  title: 'New contact',
  create: 'Create contact',
  created: (name: string) => `${name} was created.`,
  email: 'Email',
  firstName: 'First name',
  lastName: 'Last name',
  account: 'Account',
  createAccount: (name: string) => `Create the account ${name}`,
  jobTitle: 'Title',
  phone: 'Phone',
  owner: 'Owner',
  me: 'Me',
  noOwner: 'No owner',
  required: 'Enter an email address, a phone number or a last name.',
  similar: (count: number) => (count === 1 ? 'A similar contact exists:' : `${count} similar contacts exist:`),
  open: 'Open',
  openContact: (name: string) => `Open ${name}`,
  exists: 'A contact with this email address already exists.',
  openExisting: 'Open the existing contact',
})
