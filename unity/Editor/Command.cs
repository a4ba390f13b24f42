using System;
using System.ComponentModel;
using System.Diagnostics;
using System.Text;

namespace Navbake.Editor
{
    /// <summary>The command <c>navbake</c>.</summary>
    public static class Command
    {
        /// <summary>Runs it to its end.</summary>
        /// <param name="program">Its path, or its name where it is on <c>PATH</c>.</param>
        /// <param name="words">Its arguments.</param>
        /// <returns>What it said, and its warnings; both may be empty.</returns>
        /// <exception cref="InvalidOperationException">It was not found, or it failed: what it
        /// said.</exception>
        public static (string Said, string Warnings) Run(string program,
            params string[] words)
        {
            var start = new ProcessStartInfo(program, string.Join(" ",
                Array.ConvertAll(words, Quoted)))
            {
                UseShellExecute = false,
                CreateNoWindow = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            };
            var said = new StringBuilder();
            try
            {
                using (var process = Process.Start(start))
                {
                    // Aside, so that neither stream fills up while the other is read.
                    process.OutputDataReceived += (_, line) => said.Append(line.Data).Append('\n');
                    process.BeginOutputReadLine();
                    var warnings = process.StandardError.ReadToEnd().Trim();
                    process.WaitForExit();
                    if (process.ExitCode != 0)
                        throw new InvalidOperationException(program + " ended with "
                            + process.ExitCode + ":\n" + warnings);
                    return (said.ToString().Trim(), warnings);
                }
            }
            catch (Win32Exception fault)
            {
                throw new InvalidOperationException("cannot run `" + program + "`: "
                    + fault.Message + "; choose the command with Navbake > Choose Command...");
            }
        }

        /// <summary>Paths have no quotes; those that end with a backslash would hide one.</summary>
        private static string Quoted(string word)
        {
            if (word.IndexOf('"') >= 0 || word.EndsWith("\\", StringComparison.Ordinal))
                throw new InvalidOperationException("the path " + word
                    + " has a quote, or a backslash at its end: rename it");
            return "\"" + word + "\"";
        }
    }
}
