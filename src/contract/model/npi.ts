/** ISO/IEC 7812 prefix of a health application in the US. It counts in the check digit of an NPI (45 CFR 162.406). */
const issuer = '80840'

/** Ten digits that begin with 1 or 2. The last one is the Luhn check digit of the others, with the prefix before them. */
export function isNpi(text: string): boolean {
  return /^[12]\d{9}$/.test(text) && luhnSum(issuer + text) % 10 === 0
}

/** From the right, every second digit is doubled, and the two digits of a double are added. */
function luhnSum(digits: string): number {
  return [...digits].reverse().reduce((sum, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)
}
