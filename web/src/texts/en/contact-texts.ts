import { translate } from '../language.ts'

export const contactTexts = translate('contactTexts', {
  website: 'Website',
  linkedin: 'LinkedIn',
  copyEmail: 'Copy the email address',
  emailCopied: 'The email address was copied.',
  copyPhone: 'Copy the phone number',
  phoneCopied: 'The phone number was copied.',
  notLoaded: 'Email and phone could not be loaded.',
})
