import { translate } from '../language.ts'

export const bannerTexts = translate('bannerTexts', {
  offline: 'You are offline. Changes wait until the connection is back.',
  unreachable: 'The server cannot be reached. What you change is not saved until it responds again.',
  busy: 'The service is busy. Some requests fail at the moment; try again in a few seconds.',
  maintenance: 'The workspace is in maintenance. Changes cannot be saved at the moment.',
  unverified: (email: string) => `Verify your email address: open the link that we sent to ${email}.`,
  resend: 'Send it again',
  impersonating: (name: string, time: string) =>
    `You act as ${name} until ${time}. Changes are recorded in both names.`,
  stop: 'Stop',
  newVersion: 'A new version is available.',
})
