import type { TextsOf } from './texts.ts'

export const contactTexts: TextsOf<'contactTexts'> = {
  website: 'Website',
  linkedin: 'LinkedIn',
  copyEmail: 'E-Mail-Adresse kopieren',
  emailCopied: 'Die E-Mail-Adresse wurde kopiert.',
  copyPhone: 'Telefonnummer kopieren',
  phoneCopied: 'Die Telefonnummer wurde kopiert.',
  notLoaded: 'E-Mail-Adresse und Telefonnummer konnten nicht geladen werden.',
}
