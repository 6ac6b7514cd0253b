export type MailLink = { label: string; url: string }

/** Numbers that open a form. A link only fills in a number, because mail scanners open links too. */
export type MailScores = {
  links: readonly (MailLink & { description: string })[]
  low: string | null
  high: string | null
  note: string | null
}

export type MailContent = {
  workspace: { name: string; branding?: { primary_color?: string | null; email_footer?: string | null } }
  /** BCP 47 language tag of the texts; otherwise English. */
  language?: string
  title: string
  /** Shown by email programs next to the subject. */
  preview?: string
  paragraphs: string[]
  scores?: MailScores
  action?: MailLink
  footer?: string
  footerLink?: MailLink
}
