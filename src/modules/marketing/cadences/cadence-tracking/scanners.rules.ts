/** Programs that open links of emails to check them. Image proxies of mail providers are not scanners: a person opened the email. */
const scannerPattern =
  /\b(bot|crawl(er|ing)?|spider|slurp|scanner|linkcheck(er)?|urlscan|barracuda|mimecast|proofpoint|symantec|messagelabs|trendmicro|sophos|forcepoint|fireeye|cloudmark|virustotal|googlesafety|safelinks|skypeuripreview|bingpreview|facebookexternalhit|whatsapp|telegrambot|slackbot|headlesschrome|phantomjs|curl|wget|python-requests|python-urllib|go-http-client|okhttp|java|libwww-perl|axios|node-fetch)\b|bot\//i

const minSecondsAfterSend = 2

type Hit = { method: string; userAgent: string | undefined }

export const isScanner = ({ method, userAgent }: Hit): boolean =>
  method === 'HEAD' || !userAgent || scannerPattern.test(userAgent)

/** Emails that were sent after this time may have been opened by the receiving server only. */
export const latestSendTime = (now: Date): Date => new Date(now.getTime() - minSecondsAfterSend * 1_000)
